import { Text } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { FileNotice } from '../../preload/contract/models.ts';

/** Says what happened to a file of the profile, such as "The settings … were damaged". */
export function FileSentence({ notice: { file, problem, kept } }: { notice: FileNotice }) {
  const { t } = useTranslation();
  return (
    <Text size="sm">
      {t(`files.${problem}`, { what: sayFile(file, t) })} {kept !== undefined && t('files.kept', { kept })}
    </Text>
  );
}

const subjects = {
  'config.json': 'config',
  'vault.json': 'vault',
  'lock.json': 'pin',
  'calls.sqlite': 'calls',
  'reports.sqlite': 'reports',
} as const;

const sayFile = (file: FileNotice['file'], t: TFunction): string => t(`files.${subjects[file]}`);
