import type { TFunction } from 'i18next';
import type { Server } from '../preload/contract/models.ts';

/** Names a server. The built-in one has its name in the language of the screens. */
export function serverName(server: Server | undefined, t: TFunction): string {
  return server?.builtIn ? t('server.builtIn') : (server?.name ?? '');
}
