import type { AppState, Server } from '../preload/contract/models.ts';
import { useApp } from './api.ts';
import { t } from './i18n.ts';

/** Returns the name of a server. That of the built-in one is translated. */
export function serverName(server: Server | undefined): string {
  return server?.builtIn ? t('server.builtIn') : (server?.name ?? '');
}

/** Returns a function that looks up the name of a server by its id. */
export function useServerName(): (serverId: string | undefined) => string {
  const { servers } = useApp();
  return (serverId) => serverName(servers.find(({ id }) => id === serverId));
}

/** Returns the run state of a local server; undefined for any other. */
export const runOf = ({ builtIn }: AppState, server: Server) =>
  server.builtIn ? builtIn.state : server.mock?.run.state;

/** Returns host and port, or the state of a local server that has none yet. */
function hostOf(state: AppState, server: Server): string {
  const run = runOf(state, server);
  if (run === 'starting') return t('server.starting');
  if (run === 'stopped' || run === 'failed') return t('server.notRunning');
  return server.baseUrl.replace(/^https?:\/\//, '');
}

/** Returns the host to show below the name of a server; undefined if the name is the address. */
export const hostBeside = (state: AppState, server: Server): string | undefined => {
  const host = hostOf(state, server);
  return serverName(server).startsWith(host.replace(/\/.*$/, '')) ? undefined : host;
};
