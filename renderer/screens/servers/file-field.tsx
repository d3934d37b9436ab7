import { Button, Group, TextInput } from '@mantine/core';
import { useId, useRef } from 'react';
import type { FilePurpose } from '../../../preload/contract/contract.ts';
import { api } from '../../api.ts';
import { plainText } from '../../components/plain-text.ts';
import { t } from '../../i18n.ts';

interface FileFieldProps {
  label: string;
  description?: string;
  error?: string | undefined;
  purpose: FilePurpose;
  value: string;
  onChange: (file: string) => void;
  /** Whether something else than a file may be typed, such as an address. */
  typed?: boolean;
}

/** Shows a file that was chosen in the system's own dialog. Main takes no path that was typed here. */
export function FileField({ label, description, error, purpose, value, onChange, typed = false }: FileFieldProps) {
  const id = useId();
  const chooseRef = useRef<HTMLButtonElement>(null);

  async function choose() {
    const result = await api.servers.chooseFile({ purpose });
    if (result.ok && result.value.file !== undefined) onChange(result.value.file);
  }

  function clear() {
    onChange('');
    // The button that had the focus goes away.
    chooseRef.current?.focus();
  }

  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        id={id}
        flex={1}
        label={label}
        description={description}
        error={error}
        readOnly={!typed}
        placeholder={typed ? undefined : t('connection.noFile')}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        {...plainText}
      />
      <Button
        ref={chooseRef}
        variant="default"
        aria-label={t('connection.chooseFor', { label })}
        onClick={() => void choose()}
      >
        {t('connection.choose')}
      </Button>
      {!typed && value !== '' && (
        <Button variant="default" aria-label={t('connection.clearFor', { label })} onClick={clear}>
          {t('connection.clear')}
        </Button>
      )}
    </Group>
  );
}
