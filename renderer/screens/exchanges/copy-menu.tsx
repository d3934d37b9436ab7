import { Button, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CommandForm } from '../../../preload/contract/exchanges.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import classes from './exchanges.module.css';

const forms = ['curl-bash', 'curl-cmd', 'curl-powershell', 'httpie', 'fetch'] as const satisfies readonly CommandForm[];

interface CopyMenuProps {
  id: string;
  onCopied: (sentence: string) => void;
  onFailed: (error: AppError) => void;
}

/** The request as a command: with variables where secrets were, and as a second thing with the secrets themselves. */
export function CopyMenu({ id, onCopied, onFailed }: CopyMenuProps) {
  const { t } = useTranslation();

  async function copy(form: CommandForm, secrets: 'variables' | 'full') {
    const result = await api.exchanges.copy(id, form, secrets);
    if (!result.ok) return onFailed(result.error);
    const { copied, missing } = result.value;
    if (!copied) return onCopied(t('exchanges.notCopied'));
    if (secrets === 'variables') return onCopied(t('exchanges.copied'));
    onCopied(missing > 0 ? t('exchanges.copiedWithout', { number: missing }) : t('exchanges.copiedFull'));
  }

  return (
    <Menu position="bottom-end" width={300}>
      <Menu.Target>
        <Button variant="default" size="compact-xs">
          {t('exchanges.copy')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('exchanges.copy')} className={classes.longMenu}>
        <Menu.Label>{t('exchanges.copyVariables')}</Menu.Label>
        {forms.map((form) => (
          <Menu.Item key={form} onClick={() => void copy(form, 'variables')}>
            {t(`exchanges.commands.${form}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('exchanges.copyFull')}</Menu.Label>
        {forms.map((form) => (
          <Menu.Item
            key={form}
            aria-label={t('exchanges.commandFull', { form: t(`exchanges.commands.${form}`) })}
            onClick={() => void copy(form, 'full')}
          >
            {t(`exchanges.commands.${form}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
