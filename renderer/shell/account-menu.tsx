import { Menu } from '@mantine/core';
import type { SessionInfo } from '../../preload/contract/models.ts';
import { displayName } from '../display-name.ts';
import { Avatar } from '../components/avatar.tsx';
import { AddAccountIcon, CheckIcon, ChevronIcon, LockIcon, LogOutIcon, PeopleIcon } from '../components/icons.tsx';
import { UntrustedText } from '../components/untrusted-text.tsx';
import { navigate } from '../route.ts';
import { serverName } from '../server-name.ts';
import { keysOf } from '../use-shortcuts.ts';
import classes from './account-menu.module.css';
import { actions } from './commands.ts';
import headerClasses from './header.module.css';
import { t } from '../i18n.ts';
import { useApp, useActiveServer } from '../api.ts';

/** The current account, the other accounts of the server, all sessions, the lock, and the logout. */
export function AccountMenu() {
  const state = useApp();
  const { session, activeServerId, sessions } = state;
  const shownId = session.step === 'signed-out' ? undefined : session.sessionId;
  const accounts = sessions.filter(({ serverId, state: held }) => serverId === activeServerId && held === 'usable');
  const shown = accounts.find(({ id }) => id === shownId);
  const name = serverName(useActiveServer());
  return (
    <Menu position="bottom-end" width={288}>
      <Menu.Target>
        <button
          type="button"
          className={headerClasses.me}
          aria-label={shown ? t('account.menuOf', { account: shown.account }) : t('account.menu')}
        >
          <Avatar of={shown && (displayName(shown) ?? shown.account)} />
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
            onChoose={() => actions.showAccount(account.id)}
          />
        ))}
        {shownId !== undefined && (
          <Menu.Item leftSection={<AddAccountIcon />} onClick={actions.addAccount}>
            {t('account.add')}
          </Menu.Item>
        )}
        {accounts.length > 0 && <Menu.Divider />}
        <Menu.Item
          leftSection={<PeopleIcon />}
          rightSection={<span className={classes.count}>{sessions.length}</span>}
          onClick={() => navigate({ page: 'sessions' })}
        >
          {t('sessions.title')}
        </Menu.Item>
        <Menu.Item leftSection={<LockIcon />} rightSection={<kbd>{keysOf('lock')}</kbd>} onClick={actions.lock}>
          {t('lock.now')}
        </Menu.Item>
        {shownId !== undefined && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<LogOutIcon />} onClick={actions.logOut}>
              {t('account.logOut')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

interface AccountProps {
  account: SessionInfo;
  isShown: boolean;
  /** Whether there is another session of the same account, so that the number of the token is needed. */
  isAmbiguous: boolean;
  onChoose: () => void;
}

function Account({ account: held, isShown, isAmbiguous, onChoose }: AccountProps) {
  const { id, account, tokenId } = held;
  const name = displayName(held);
  const email =
    isAmbiguous && tokenId !== undefined ? `${account} (${t('sessions.number', { id: tokenId })})` : account;
  return (
    <Menu.RadioItem value={id} checked={isShown} checkIcon={<CheckIcon />} closeMenuOnClick onClick={onChoose}>
      <span className="row slim gap10 anywhere">
        <Avatar of={name ?? account} />
        <span>
          {name !== undefined && <UntrustedText className={classes.name} text={name} />}
          <UntrustedText className={name === undefined ? classes.name : classes.email} text={email} />
        </span>
      </span>
    </Menu.RadioItem>
  );
}
