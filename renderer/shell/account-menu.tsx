import type { AppState } from '../../preload/contract/models.ts';
import { seenName } from '../account-name.ts';
import { Avatar } from '../components/avatar.tsx';
import { ChevronIcon } from '../components/icons.tsx';
import { useOpener } from '../components/use-opener.ts';
import { whenOpened } from '../components/when-opened.tsx';
import { useTexts } from '../texts.tsx';
import classes from './header.module.css';
import type { Actions } from './use-actions.ts';

const Items = whenOpened(() => import('./account-items.tsx').then((loaded) => loaded.AccountItems));

/** Shows who is logged in, and opens the menu of the accounts. */
export function AccountMenu({ state, actions }: { state: AppState; actions: Actions }) {
  const { t } = useTexts();
  const { buttonProps, isWanted, opened } = useOpener('menu');
  const { session, activeServerId, sessions } = state;
  const shownId = session.step === 'signed-out' ? undefined : session.sessionId;
  const accounts = sessions.filter(({ serverId, state: held }) => serverId === activeServerId && held === 'usable');
  const shown = accounts.find(({ id }) => id === shownId);
  return (
    <>
      <button
        type="button"
        {...buttonProps}
        className={classes.me}
        aria-label={shown ? t('account.menuOf', { account: shown.account }) : t('account.menu')}
      >
        <Avatar of={shown && (seenName(shown) ?? shown.account)} />
        <ChevronIcon size={14} />
      </button>
      {isWanted && <Items opened={opened} {...{ state, actions, shownId, accounts }} />}
    </>
  );
}
