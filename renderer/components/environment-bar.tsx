import { ActionIcon, Menu } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Environment } from '../../preload/contract/models.ts';
import { api } from '../api.ts';
import classes from '../app.module.css';
import { environmentName } from '../environment-name.ts';
import type { OpenDialog } from '../open-dialog.ts';
import { ListIcon } from './icons.tsx';

interface EnvironmentBarProps {
  environments: readonly Environment[];
  activeEnvironmentId: string;
}

/** One press for each environment, once there are several. */
export function EnvironmentBar({ environments, activeEnvironmentId }: EnvironmentBarProps) {
  const { t } = useTranslation();
  if (environments.length < 2) return null;
  return (
    <nav className={classes.environments} aria-label={t('environment.menu')}>
      {environments.map((environment) => (
        <button
          key={environment.id}
          type="button"
          className={classes.environment}
          data-colour={environment.colour}
          {...(environment.id === activeEnvironmentId && { 'aria-current': true })}
          onClick={() => void api.environments.choose(environment.id)}
        >
          <span className={classes.swatch} data-colour={environment.colour} aria-hidden />
          {environmentName(environment, t)}
        </button>
      ))}
    </nav>
  );
}

/** Ctrl or Cmd with a number from 1 to 9 switches to the environment at that place; not while a dialog is open. */
export function useEnvironmentShortcuts(environments: readonly Environment[]): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || !/^[1-9]$/.test(event.key)) return;
      const chosen = environments[Number(event.key) - 1];
      if (!chosen || document.querySelector('[role=dialog]')) return;
      event.preventDefault();
      void api.environments.choose(chosen.id);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [environments]);
}

export function EnvironmentsMenu({ onOpen }: { onOpen: (dialog: OpenDialog) => void }) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('environment.menu')} title={t('environment.menu')}>
          <ListIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('environment.menu')}>
        <Menu.Item onClick={() => onOpen({ kind: 'environments' })}>{t('environment.manage')}</Menu.Item>
        <Menu.Item onClick={() => onOpen({ kind: 'sessions' })}>{t('sessions.title')}</Menu.Item>
        <Menu.Item onClick={() => onOpen({ kind: 'contract-run' })}>{t('run.title')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
