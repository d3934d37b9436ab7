import { Text } from '@mantine/core';
import type { FileNotice } from '../../preload/contract/models.ts';
import { t } from '../i18n.ts';

/** Says what happened to a file of the profile, such as "The settings … were damaged". */
export function FileSentence({ notice: { file, problem, quarantinedAs } }: { notice: FileNotice }) {
  return (
    <Text size="sm">
      {t(`files.${problem}`, { what: fileName(file) })}{' '}
      {quarantinedAs !== undefined && t('files.kept', { kept: quarantinedAs })}
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

const fileName = (file: FileNotice['file']): string => t(`files.${subjects[file]}`);
