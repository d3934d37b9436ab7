import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import type { CommandForm, EditedRequest } from '../../../preload/contract/calls.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { CopyIcon } from '../../components/icons.tsx';
import { t } from '../../i18n.ts';

const forms = ['curl-bash', 'curl-powershell', 'fetch'] as const satisfies readonly CommandForm[];

interface CopyMenuProps {
  id: string;
  /** Returns the request as it was edited, which is copied instead. */
  request?: () => EditedRequest;
  onCopied: (sentence: () => string) => void;
  onFailed: (error: AppError) => void;
}

/** Copies the request as a command, with variables where secrets were or, after a second step, with the secrets. */
export function CopyMenu({ id, request, onCopied, onFailed }: CopyMenuProps) {
  const [withSecrets, setWithSecrets] = useState(false);

  async function copy(form: CommandForm, secrets: 'variables' | 'full') {
    const result = await api.calls.copy({ id, form, secrets, request: request?.() });
    if (!result.ok) return onFailed(result.error);
    const { copied, missing } = result.value;
    if (!copied) return onCopied(() => t('calls.notCopied'));
    if (secrets === 'variables') return onCopied(() => t('calls.copied'));
    onCopied(() => (missing > 0 ? t('calls.copiedWithout', { number: missing }) : t('calls.copiedFull')));
  }

  return (
    // The menu has two steps, so that it is no longer than the window is high.
    <Menu position="bottom-end" width={300} onOpen={() => setWithSecrets(false)}>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-sm" leftSection={<CopyIcon />}>
          {t('calls.copy')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('calls.copy')}>
        <Menu.Label>{t(withSecrets ? 'calls.copyFull' : 'calls.copyVariables')}</Menu.Label>
        {forms.map((form) => {
          const name = t(`calls.commands.${form}`);
          return (
            <Menu.Item
              key={form}
              aria-label={withSecrets ? t('calls.commandFull', { form: name }) : undefined}
              onClick={() => void copy(form, withSecrets ? 'full' : 'variables')}
            >
              {name}
            </Menu.Item>
          );
        })}
        {!withSecrets && (
          <>
            <Menu.Divider />
            <Menu.Item closeMenuOnClick={false} onClick={() => setWithSecrets(true)}>
              {t('calls.copyFull')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
