import type { TFunction } from 'i18next';
import type { Environment } from '../preload/contract/models.ts';

/** The built-in environment is named in the language of the screens. */
export function environmentName(environment: Environment | undefined, t: TFunction): string {
  return environment?.builtIn ? t('server.builtIn') : (environment?.name ?? '');
}
