import type { TFunction } from 'i18next';
import type { Server } from '../preload/contract/models.ts';

/** The built-in server is named in the language of the screens. */
export function serverName(server: Server | undefined, t: TFunction): string {
  return server?.builtIn ? t('server.builtIn') : (server?.name ?? '');
}
