import type { AppState, Server } from '../preload/contract/models.ts';
import { useApp } from './api.ts';
import { t } from './i18n.ts';

/** Names a server. The built-in one has its name in the language of the screens. */
export function serverName(server: Server | undefined): string {
  return server?.builtIn ? t('server.builtIn') : (server?.name ?? '');
}

/** Returns a function that names a listed server by its id. */
export function useServerName(): (serverId: string | undefined) => string {
  const { servers } = useApp();
  return (serverId) => serverName(servers.find(({ id }) => id === serverId));
}

/** Whether a server that runs here does so; undefined for any other. */
export const runOf = ({ builtIn }: AppState, server: Server) =>
  server.builtIn ? builtIn.state : server.double?.run.state;

/** Returns the host and port of a server, or what one that runs here is doing while it has none. */
function hostOf(state: AppState, server: Server): string {
  const run = runOf(state, server);
  if (run === 'starting') return t('server.starting');
  if (run === 'stopped' || run === 'failed') return t('server.notRunning');
  return server.baseUrl.replace(/^https?:\/\//, '');
}

/** Returns what stands below the name of a server: nothing where its name is its address. */
export const hostBeside = (state: AppState, server: Server): string | undefined => {
  const host = hostOf(state, server);
  return serverName(server).startsWith(host.replace(/\/.*$/, '')) ? undefined : host;
};
