import type { ShippedInterface } from '../../../preload/contract/connection.ts';
import { formatDate } from '../../format.ts';
import { t } from '../../i18n.ts';

/** Returns how it is said what a shipped description was proved against. */
export function useProof(): (shipped: Pick<ShippedInterface, 'id' | 'proved'>) => string {
  return ({ id, proved }) => {
    if (id === 'llavero') return t('interface.ownHint');
    if (!proved) return t('interface.unproved');
    const [, version = proved.version] = /^(\d+\.\d+)/.exec(proved.version) ?? [];
    return t('interface.proved', { version, when: formatDate(proved.on, 'month') });
  };
}
