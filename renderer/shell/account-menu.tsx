import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AppState, HeldSession } from '../../preload/contract/models.ts';
import { api } from '../api.ts';
import { Avatar } from '../components/avatar.tsx';
import { AddAccountIcon, CheckIcon, ChevronIcon, LockIcon, LogOutIcon, PeopleIcon } from '../components/icons.tsx';
import { go } from '../place.ts';
import { serverName } from '../server-name.ts';
import classes from './account-menu.module.css';
import headerClasses from './header.module.css';

/** Offers the accounts that are logged in at this server, all sessions, the lock, and the way out. */
export function AccountMenu({ state }: { state: AppState }) {
  const { t } = useTranslation();
  const { session, activeServerId, sessions, servers, settings } = state;
  const shownId = session.step === 'signed-out' ? undefined : session.sessionId;
  const accounts = sessions.filter(({ serverId, state: held }) => serverId === activeServerId && held === 'usable');
  const shown = accounts.find(({ id }) => id === shownId);
  const name = serverName(
    servers.find(({ id }) => id === activeServerId),
    t,
  );

  return (
    <Menu position="bottom-end" width={288}>
      <Menu.Target>
        <button
          type="button"
          className={headerClasses.me}
          aria-label={shown ? t('account.menuOf', { account: shown.account }) : t('account.menu')}
        >
          <Avatar of={shown && (shown.name ?? shown.account)} />
          <ChevronIcon size={14} />
        </button>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('account.menu')}>
        {accounts.length > 0 && <Menu.Label aria-hidden>{t('account.at', { server: name })}</Menu.Label>}
        {accounts.map((account) => (
          <Account
            key={account.id}
            account={account}
            isShown={account.id === shownId}
            isAmbiguous={accounts.filter((each) => each.account === account.account).length > 1}
          />
        ))}
        {shownId !== undefined && (
          <Menu.Item leftSection={<AddAccountIcon />} onClick={() => addAccount()}>
            {t('account.add')}
          </Menu.Item>
        )}
        {accounts.length > 0 && <Menu.Divider />}
        <Menu.Item
          leftSection={<PeopleIcon />}
          rightSection={<span className={classes.count}>{sessions.length}</span>}
          onClick={() => go({ room: 'sessions' })}
        >
          {t('account.all')}
        </Menu.Item>
        <Menu.Item leftSection={<LockIcon />} rightSection={<kbd>Ctrl L</kbd>} onClick={() => void api.lock.now()}>
          {t('lock.now')}
        </Menu.Item>
        {shown?.isDemo && (
          <Menu.CheckboxItem
            checked={settings.presenting}
            onChange={(presenting) => void api.settings.change({ presenting })}
          >
            {t('settings.row.presenting.label')}
          </Menu.CheckboxItem>
        )}
        {shownId !== undefined && (
          <>
            <Menu.Divider />
            <Menu.Item
              leftSection={<LogOutIcon />}
              onClick={() => void api.sessions.logout({ id: shownId, tellServer: true })}
            >
              {t('account.logOut')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function addAccount() {
  go({ room: 'account' });
  void api.session.addAccount();
}

interface AccountProps {
  account: HeldSession;
  isShown: boolean;
  /** Whether another session of the same account is held too: the number of the token tells them apart. */
  isAmbiguous: boolean;
}

function Account({ account: { id, account, name, tokenId }, isShown, isAmbiguous }: AccountProps) {
  const { t } = useTranslation();
  const email = isAmbiguous && tokenId !== undefined ? `${account} (${t('sessions.token', { id: tokenId })})` : account;
  return (
    <Menu.RadioItem
      value={id}
      checked={isShown}
      checkIcon={<CheckIcon />}
      closeMenuOnClick
      onClick={() => {
        go({ room: 'account' });
        if (!isShown) void api.sessions.choose({ id });
      }}
    >
      <span className={classes.account}>
        <Avatar of={name ?? account} />
        <span>
          {name !== undefined && <bdi className={classes.name}>{name}</bdi>}
          <bdi className={name === undefined ? classes.name : classes.email}>{email}</bdi>
        </span>
      </span>
    </Menu.RadioItem>
  );
}
