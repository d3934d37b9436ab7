import { Button, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ExchangeFilter, ExportForm } from '../../../preload/contract/exchanges.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';

const forms = ['har', 'postman', 'openapi'] as const satisfies readonly ExportForm[];

interface FilesMenuProps {
  filter: ExchangeFilter;
  onDone: (sentence: string) => void;
  onImported: () => void;
  onFailed: (error: AppError) => void;
}

/** What the list shows, into files without secrets; and calls recorded elsewhere, for viewing. */
export function FilesMenu({ filter, onDone, onImported, onFailed }: FilesMenuProps) {
  const { t } = useTranslation();

  async function exportAs(form: ExportForm) {
    const result = await api.exchanges.exportFile(filter, form);
    if (!result.ok) onFailed(result.error);
    else if (result.value.exported !== undefined) onDone(t('exchanges.exported', { number: result.value.exported }));
  }

  async function importHar() {
    const result = await api.exchanges.importHar();
    if (!result.ok) return onFailed(result.error);
    const { imported, skipped } = result.value;
    if (imported === undefined) return;
    onDone(t(skipped > 0 ? 'exchanges.importedPartly' : 'exchanges.imported', { number: imported, skipped }));
    onImported();
  }

  return (
    <Menu position="bottom-end" width={300}>
      <Menu.Target>
        <Button variant="default" size="compact-xs">
          {t('exchanges.files')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('exchanges.files')}>
        <Menu.Label>{t('exchanges.export')}</Menu.Label>
        {forms.map((form) => (
          <Menu.Item key={form} onClick={() => void exportAs(form)}>
            {t(`exchanges.exports.${form}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void importHar()}>{t('exchanges.import')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
