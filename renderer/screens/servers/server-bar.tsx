import { ActionIcon, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Server } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import appClasses from '../../app.module.css';
import classes from './server-bar.module.css';
import { serverName } from '../../server-name.ts';
import type { OpenDialog } from '../../dialogs.tsx';
import { ListIcon } from '../../components/icons.tsx';

interface ServerBarProps {
  servers: readonly Server[];
  activeServerId: string;
}

/** Switches to any server with one press. */
export function ServerBar({ servers, activeServerId }: ServerBarProps) {
  const { t } = useTranslation();
  return (
    <nav className={classes.servers} aria-label={t('server.menu')}>
      {servers.map((server) => (
        <button
          key={server.id}
          type="button"
          className={classes.pill}
          data-colour={server.colour}
          aria-current={server.id === activeServerId || undefined}
          ref={server.id === activeServerId ? intoView : undefined}
          onClick={() => void api.servers.choose({ id: server.id })}
        >
          <span className={appClasses.swatch} data-colour={server.colour} aria-hidden />
          <span className={classes.pillName} data-name={serverName(server, t)}>
            {serverName(server, t)}
          </span>
        </button>
      ))}
    </nav>
  );
}

/** The line may be longer than the window, so the chosen server is scrolled into sight. */
const intoView = (pill: HTMLElement | null) => pill?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

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
