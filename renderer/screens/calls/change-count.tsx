import { Chip } from '../../components/chip.tsx';
import { t } from '../../i18n.ts';

/** Says how much is changed in a part, if anything is. */
export function ChangeCount({ count }: { count: number }) {
  return count > 0 && <Chip>{t('edit.changes', { count })}</Chip>;
}
