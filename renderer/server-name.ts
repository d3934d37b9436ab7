import type { TFunction } from 'i18next';
import type { AppState, Server } from '../preload/contract/models.ts';

/** Names a server. The built-in one has its name in the language of the screens. */
export function serverName(server: Server | undefined, t: TFunction): string {
  return server?.builtIn ? t('server.builtIn') : (server?.name ?? '');
}

/** Returns the host and port of a server, or what the built-in one is doing while it has none. */
export function hostOf({ builtIn }: AppState, server: Server, t: TFunction): string {
  if (server.builtIn && builtIn.state === 'starting') return t('server.starting');
  if (server.builtIn && builtIn.state === 'failed') return t('server.notRunning');
  const run = server.double?.run.state;
  if (run === 'starting') return t('server.starting');
  if (run === 'stopped' || run === 'failed') return t('server.notRunning');
  return server.baseUrl.replace(/^https?:\/\//, '');
}
