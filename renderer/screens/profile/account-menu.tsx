import { Button, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AppState, Session } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { ChevronIcon } from '../../components/icons.tsx';

interface AccountMenuProps {
  session: Exclude<Session, { step: 'signed-out' }>;
  state: AppState;
  onOpenSessions: () => void;
}

/** Offers the accounts that are logged in here, of which one is on the screen. */
export function AccountMenu({ session, state, onOpenSessions }: AccountMenuProps) {
  const { t } = useTranslation();
  const accounts = state.sessions.filter((each) => each.serverId === state.activeServerId && each.state === 'usable');
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button variant="default" size="xs" rightSection={<ChevronIcon />}>
          {t('account.menu')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('account.menu')}>
        {accounts.map(({ id, account, tokenId }) => (
          <Menu.RadioItem
            key={id}
            value={id}
            checked={id === session.sessionId}
            onChange={() => id !== session.sessionId && void api.sessions.choose({ id })}
          >
            {accounts.filter((each) => each.account === account).length > 1 && tokenId !== undefined
              ? `${account} (${t('sessions.token', { id: tokenId })})`
              : account}
          </Menu.RadioItem>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void api.session.addAccount()}>{t('account.add')}</Menu.Item>
        <Menu.Item onClick={onOpenSessions}>{t('account.all')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
