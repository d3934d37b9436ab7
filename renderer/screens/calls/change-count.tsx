import { useTranslation } from 'react-i18next';
import { Chip } from '../../components/chip.tsx';

/** Says how much is changed in a part, if anything is. */
export function ChangeCount({ count }: { count: number }) {
  const { t } = useTranslation();
  return count > 0 && <Chip>{t('edit.changes', { count })}</Chip>;
}
