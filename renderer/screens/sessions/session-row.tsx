import { ActionIcon, Button, Menu } from '@mantine/core';
import { memo, useLayoutEffect, useRef, useState } from 'react';
import type { SessionInfo } from '../../../preload/contract/models.ts';
import { displayName } from '../../display-name.ts';
import { api, useApp } from '../../api.ts';
import { Avatar } from '../../components/avatar.tsx';
import { Chip } from '../../components/chip.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { SameSize } from '../../components/same-size.tsx';
import { BinIcon, ClockIcon, DoneIcon, KeyIcon, MoreIcon, RefreshIcon, WarningIcon } from '../../components/icons.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import linkClasses from '../../components/link-button.module.css';
import { reauthenticate } from './reauthenticate.ts';
import { navigate } from '../../route.ts';
import { useStore } from '../../store.ts';
import { confirmedAfterExpiry } from '../../confirmed-after-expiry.ts';
import { useNow } from '../../use-now.ts';
import { formatFull, formatDateTime, formatRelative } from '../../format.ts';
import { runSessionAction, type SessionAction, sessionActions } from './session-actions.ts';
import type { SessionRowState } from './session-rows.ts';
import classes from './sessions.module.css';
import { t, useCurrentLanguage } from '../../i18n.ts';

interface SessionRowProps extends SessionRowState {
  isShown: boolean;
  /** Position among all rows of the page, from 0. */
  index: number;
  /** Position among the sessions of its server, from 1. */
  place: number;
  /** Number of the sessions of its server. */
  count: number;
}

/** A session: its account, its facts, and its actions. Scrolling renders the list again, and not its rows. */
export const SessionRow = memo(({ session, serverNotified, isShown, index, place, count }: SessionRowProps) => {
  useCurrentLanguage();
  const { id, account, state } = session;
  const { running, failure } = useStore(sessionActions);
  const action = running.findLast((each) => each.id === id)?.action;
  const rowRef = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    // Its buttons are hidden without a click, and the focus must not be lost with them.
    if (serverNotified && rowRef.current?.contains(document.activeElement)) rowRef.current.focus();
  }, [serverNotified]);
  const name = displayName(session);
  const why = state !== 'usable' && t(session.logoutPending ? 'sessions.to-revoke-later' : 'sessions.to-revoke');
  return (
    <li
      ref={rowRef}
      tabIndex={serverNotified ? -1 : undefined}
      className={classes.row}
      data-line={id}
      data-index={index}
      aria-posinset={place}
      aria-setsize={count}
    >
      <Avatar of={name ?? account} size="medium" />
      <div className="slim">
        <p className={classes.name}>
          <UntrustedText text={name ?? account} />
          {isShown && <Chip tone="info">{t('sessions.shown')}</Chip>}
          {state !== 'usable' && <LogoutChip serverNotified={serverNotified} />}
        </p>
        {name !== undefined && <UntrustedText className={classes.email} text={account} />}
      </div>
      <div className={classes.facts}>
        <p className={classes.when}>
          <output>
            {(action && pendingText(action)) ?? <Facts session={session} />}
            {action && pendingText(action) !== undefined && (
              <>
                {' '}
                <button type="button" className={linkClasses.link} onClick={() => void api.session.cancel()}>
                  {t('app.cancel')}
                </button>
              </>
            )}
          </output>
        </p>
        {state !== 'to-revoke' && <TimeLeft session={session} />}
        {state !== 'usable' && (
          <p className={classes.why}>
            {serverNotified ? <SameSize of={why}>{t('sessions.serverNotified')}</SameSize> : why}
          </p>
        )}
      </div>
      <div className={classes.actions} data-gone={serverNotified} inert={serverNotified}>
        <Actions session={session} isShown={isShown} />
      </div>
      {failure?.id === id && (
        <div className={classes.failure}>
          <ErrorMessage error={failure.error} during={failure.during} />
        </div>
      )}
    </li>
  );
});

/** Has the same size in both states, since the second appears without a click. */
function LogoutChip({ serverNotified }: { serverNotified: boolean }) {
  const pending = (
    <Chip tone="warn" icon={<WarningIcon />}>
      {t('sessions.chip.to-revoke')}
    </Chip>
  );
  return serverNotified ? (
    <SameSize of={pending}>
      <Chip tone="good" icon={<DoneIcon />}>
        {t('sessions.chip.serverNotified')}
      </Chip>
    </SameSize>
  ) : (
    pending
  );
}

/** While a request runs, its progress replaces the details. */
function pendingText(action: SessionAction): string | undefined {
  if (action === 'check') return t('profile.restoring');
  if (action === 'logout') return t('profile.loggingOut');
  return action === 'retry' ? t('sessions.telling') : undefined;
}

function Facts({ session: { madeAt, checkedAt, end, renews, tokenId } }: { session: SessionInfo }) {
  const isWorkbench = useApp().settings.workbench;
  const exact = (iso: string) => formatFull(new Date(iso));
  const [now] = useState(() => Date.now());
  const formatted = (iso: string) => formatDateTime(new Date(iso), now);
  return (
    <>
      {madeAt !== undefined && <span title={exact(madeAt)}>{t('sessions.made', { time: formatted(madeAt) })} · </span>}
      {checkedAt === undefined ? (
        t('sessions.neverChecked')
      ) : (
        <span title={exact(checkedAt)}>{t('sessions.checked', { time: formatted(checkedAt) })}</span>
      )}
      {end && !renews && !confirmedAfterExpiry({ end, checkedAt }) && (
        <span title={exact(end.at)}> · {t('sessions.endsAt', { time: formatted(end.at) })}</span>
      )}
      {isWorkbench && tokenId !== undefined && ` · ${t('sessions.token', { id: tokenId })}`}
    </>
  );
}

/** On a line of its own, since it changes without a click. */
function TimeLeft({ session }: { session: SessionInfo }) {
  const { end, expiryState } = session;
  const now = useNow(end && Date.parse(end.at));
  if (session.renews) return <p className={classes.when}>{t('sessions.renewsItself')}</p>;
  if (confirmedAfterExpiry(session)) return <p className={classes.when}>{t('sessions.endOutlived')}</p>;
  if (!end) return <p className={classes.when}>{t('sessions.endUnknown')}</p>;
  const left = formatRelative(new Date(end.at), now, 'long');
  return (
    <p className={classes.left} data-ending={expiryState}>
      {expiryState === undefined ? <ClockIcon size={14} /> : <WarningIcon size={14} />}
      {t(expiryState === 'over' ? 'sessions.leftOver' : 'sessions.left', { left })}
    </p>
  );
}

function Actions({ session, isShown }: Pick<SessionRowProps, 'session' | 'isShown'>) {
  const { id, account, state, expiryState } = session;

  async function show() {
    if (await runSessionAction(id, 'use', () => api.sessions.choose({ id }))) navigate({ page: 'account' });
  }

  const actions = {
    use: () => void show(),
    logout: () => void runSessionAction(id, 'logout', () => api.sessions.logout({ id, tellServer: true })),
    retry: () => void runSessionAction(id, 'retry', () => api.sessions.revoke({ id })),
    giveUp: () => void runSessionAction(id, 'giveUp', () => api.sessions.forget({ id })),
    check: () => void runSessionAction(id, 'check', () => api.sessions.check({ id })),
    forget: () => void runSessionAction(id, 'forget', () => api.sessions.forget({ id })),
  };
  const more = t('sessions.more', { account });
  return (
    <>
      {buttonsOf[state]
        .filter((action) => !(isShown && action === 'use'))
        .map((action) => (
          <Button
            key={action}
            {...(action === 'retry' ? { variant: 'default' } : { variant: 'subtle', color: 'gray' })}
            size="xs"
            aria-label={t(`sessions.${action}`, { account })}
            onClick={actions[action]}
          >
            {t(`sessions.short.${action}`)}
          </Button>
        ))}
      {state !== 'to-revoke' && (
        <Menu position="bottom-end" width={280}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size={28} aria-label={more} title={more}>
              <MoreIcon />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {expiryState !== undefined && (
              <Menu.Item leftSection={<KeyIcon />} onClick={() => reauthenticate(session)}>
                {t('sessions.again')}
              </Menu.Item>
            )}
            {state === 'usable' && (
              <Menu.Item leftSection={<RefreshIcon />} onClick={actions.check}>
                {t('sessions.short.check')}
              </Menu.Item>
            )}
            <Menu.Item leftSection={<BinIcon />} onClick={actions.forget}>
              {t('sessions.short.forget')}
              <span className="block hint">{t('sessions.forgetHelp')}</span>
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

/** Actions shown as buttons; the others are in the menu beside. */
const buttonsOf = {
  usable: ['use', 'logout'],
  'to-revoke': ['retry', 'giveUp'],
} as const satisfies Record<SessionInfo['state'], readonly string[]>;
