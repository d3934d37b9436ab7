import { ActionIcon, Menu } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Server } from '../../preload/contract/models.ts';
import { api } from '../api.ts';
import classes from '../app.module.css';
import { serverName } from '../server-name.ts';
import type { OpenDialog } from '../open-dialog.ts';
import { ListIcon } from './icons.tsx';

interface ServerBarProps {
  servers: readonly Server[];
  activeServerId: string;
}

/** One press for each server, once there are several. */
export function ServerBar({ servers, activeServerId }: ServerBarProps) {
  const { t } = useTranslation();
  if (servers.length < 2) return null;
  return (
    <nav className={classes.servers} aria-label={t('server.menu')}>
      {servers.map((server) => (
        <button
          key={server.id}
          type="button"
          className={classes.server}
          data-colour={server.colour}
          {...(server.id === activeServerId && { 'aria-current': true })}
          onClick={() => void api.servers.choose({ id: server.id })}
        >
          <span className={classes.swatch} data-colour={server.colour} aria-hidden />
          {serverName(server, t)}
        </button>
      ))}
    </nav>
  );
}

/** Ctrl or Cmd with a number from 1 to 9 switches to the server at that place; not while a dialog is open. */
export function useServerShortcuts(servers: readonly Server[]): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || !/^[1-9]$/.test(event.key)) return;
      const chosen = servers[Number(event.key) - 1];
      if (!chosen || document.querySelector('[role=dialog]')) return;
      event.preventDefault();
      void api.servers.choose({ id: chosen.id });
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [servers]);
}

export function ServersMenu({ onOpen }: { onOpen: (dialog: OpenDialog) => void }) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('server.menu')} title={t('server.menu')}>
          <ListIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('server.menu')}>
        <Menu.Item onClick={() => onOpen({ kind: 'servers' })}>{t('server.manage')}</Menu.Item>
        <Menu.Item onClick={() => onOpen({ kind: 'sessions' })}>{t('sessions.title')}</Menu.Item>
        <Menu.Item title={t('builtIn.open')} onClick={() => onOpen({ kind: 'builtInServer' })}>
          {t('builtIn.title')}
        </Menu.Item>
        <Menu.Item onClick={() => onOpen({ kind: 'contract-run' })}>{t('run.title')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
