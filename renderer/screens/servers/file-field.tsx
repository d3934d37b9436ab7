import { Button, Group, TextInput } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { FilePurpose } from '../../../preload/contract/contract.ts';
import { api } from '../../api.ts';
import { plainText } from './plain-text.ts';

interface FileFieldProps {
  label: string;
  description?: string;
  error?: string | undefined;
  purpose: FilePurpose;
  value: string;
  onChange: (file: string) => void;
}

/** A path to type or to choose in the system's own dialog. */
export function FileField({ label, description, error, purpose, value, onChange }: FileFieldProps) {
  const { t } = useTranslation();
  const id = useId();

  async function choose() {
    const result = await api.servers.chooseFile({ purpose });
    if (result.ok && result.value.file !== undefined) onChange(result.value.file);
  }

  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        id={id}
        flex={1}
        label={label}
        description={description}
        error={error}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        {...plainText}
      />
      <Button variant="default" aria-label={t('connection.chooseFor', { label })} onClick={() => void choose()}>
        {t('connection.choose')}
      </Button>
    </Group>
  );
}
