import { useState } from 'react';
import type { AppError } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { useTexts } from '../../texts.tsx';

/** Writes the settings into a file and takes them from one, and says how that ended. */
export function useSettingsFile() {
  const { t, i18n } = useTexts();
  const [outcome, setOutcome] = useState<{ said?: string; error?: AppError }>({});

  async function exportFile(): Promise<void> {
    setOutcome({});
    const result = await api.settings.exportFile();
    if (!result.ok) setOutcome({ error: result.error });
    else if (result.value.exported) setOutcome({ said: t('settings.file.exported') });
  }

  async function importFile(): Promise<void> {
    setOutcome({});
    const result = await api.settings.importFile();
    if (!result.ok) return setOutcome({ error: result.error });
    const { changed } = result.value;
    if (!changed) return;
    const names = new Intl.ListFormat(i18n.language).format(changed.map((name) => t(`settings.row.${name}.label`)));
    setOutcome({
      said: changed.length === 0 ? t('settings.file.same') : t('settings.file.changed', { names }),
    });
  }

  return { ...outcome, exportFile, importFile };
}
