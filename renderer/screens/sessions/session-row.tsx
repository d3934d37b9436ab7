import { ActionIcon, Button, Menu } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { HeldSession } from '../../../preload/contract/models.ts';
import { displayName } from '../../display-name.ts';
import { api, useApp } from '../../api.ts';
import { Avatar } from '../../components/avatar.tsx';
import { Chip } from '../../components/chip.tsx';
import { SameSize } from '../../components/same-size.tsx';
import { BinIcon, ClockIcon, DoneIcon, KeyIcon, MoreIcon, RefreshIcon, WarningIcon } from '../../components/icons.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import linkClasses from '../../components/link-button.module.css';
import { askAgain } from './ask-again.ts';
import { navigate } from '../../route.ts';
import { confirmedAfterExpiry } from '../../confirmed-after-expiry.ts';
import { useNow } from '../../use-now.ts';
import { formatFull, formatDateTime, formatRelative } from '../../format.ts';
import classes from './session-row.module.css';
import { type SessionRowState, useFocusWhenTold } from './use-rows.ts';
import type { SessionVerb, ShownSessions } from './use-sessions.ts';
import { t } from '../../i18n.ts';

interface SessionRowProps extends SessionRowState {
  isShown: boolean;
  /** What is under way with it. */
  doing: SessionVerb | undefined;
  run: ShownSessions['run'];
}

/** Shows one session: who it is, what is known of it, and what can be done with it. */
export function SessionRow({ session, isTold, isShown, doing, run }: SessionRowProps) {
  const { account, state } = session;
  const rowRef = useFocusWhenTold<HTMLLIElement>(isTold);
  const name = displayName(session);
  const why = state !== 'usable' && t(session.toldLater ? 'sessions.to-revoke-later' : 'sessions.to-revoke');
  return (
    <li ref={rowRef} tabIndex={-1} className={classes.row} data-line={session.id}>
      <Avatar of={name ?? account} size="medium" />
      <div className={classes.who}>
        <p className={classes.name}>
          <UntrustedText text={name ?? account} />
          {isShown && <Chip tone="info">{t('sessions.shown')}</Chip>}
          {state !== 'usable' && <StateChip isTold={isTold} />}
        </p>
        {name !== undefined && <UntrustedText className={classes.email} text={account} />}
      </div>
      <div className={classes.facts}>
        <Asked doing={doing} facts={<Facts session={session} />} onCancel={() => rowRef.current?.focus()} />
        {state !== 'to-revoke' && <Left session={session} />}
        {state !== 'usable' && (
          <p className={classes.why}>{isTold ? <SameSize of={why}>{t('sessions.told')}</SameSize> : why}</p>
        )}
      </div>
      <div className={classes.actions} data-gone={isTold} inert={isTold}>
        <Actions session={session} isShown={isShown} run={run} />
      </div>
    </li>
  );
}

function StateChip({ isTold }: { isTold: boolean }) {
  const chip = (
    <Chip tone="warn" icon={<WarningIcon />}>
      {t('sessions.chip.to-revoke')}
    </Chip>
  );
  return isTold ? (
    <SameSize of={chip}>
      <Chip tone="good" icon={<DoneIcon />}>
        {t('sessions.chip.told')}
      </Chip>
    </SameSize>
  ) : (
    chip
  );
}

/** Says, in the place of what is known of a session, that its server is asked. */
function Asked({ doing, facts, onCancel }: { doing: SessionVerb | undefined; facts: ReactNode; onCancel: () => void }) {
  const says = doing !== undefined && asked[doing];
  function cancel(): void {
    onCancel();
    void api.session.cancel();
  }
  return (
    <p className={classes.when}>
      <output>
        {says ? (
          <SameSize of={facts}>
            {t(says)}{' '}
            <button type="button" className={linkClasses.link} onClick={cancel}>
              {t('app.cancel')}
            </button>
          </SameSize>
        ) : (
          facts
        )}
      </output>
    </p>
  );
}

/** What its server is asked while this is under way. */
const asked: Partial<Record<SessionVerb, 'profile.restoring' | 'profile.loggingOut' | 'sessions.telling'>> = {
  check: 'profile.restoring',
  logout: 'profile.loggingOut',
  retry: 'sessions.telling',
};

/** The number of the token is for those who work with the Workbench. */
function Facts({ session: { madeAt, checkedAt, end, renews, tokenId } }: { session: HeldSession }) {
  const isWorkbench = useApp().settings.workbench;
  const exact = (iso: string) => formatFull(new Date(iso));
  const [now] = useState(() => Date.now());
  const said = (iso: string) => formatDateTime(new Date(iso), now);
  return (
    <>
      {madeAt !== undefined && <span title={exact(madeAt)}>{t('sessions.made', { time: said(madeAt) })} · </span>}
      {checkedAt === undefined ? (
        t('sessions.neverChecked')
      ) : (
        <span title={exact(checkedAt)}>{t('sessions.checked', { time: said(checkedAt) })}</span>
      )}
      {end && !renews && !confirmedAfterExpiry({ end, checkedAt }) && (
        <span title={exact(end.at)}> · {t('sessions.endsAt', { time: said(end.at) })}</span>
      )}
      {isWorkbench && tokenId !== undefined && ` · ${t('sessions.token', { id: tokenId })}`}
    </>
  );
}

/** Counts the time that is left, on a line of its own: whatever it says, nothing beside it moves. */
function Left({ session }: { session: HeldSession }) {
  const { end, ending } = session;
  const now = useNow(end && Date.parse(end.at));
  if (session.renews) return <p className={classes.when}>{t('sessions.renewsItself')}</p>;
  if (confirmedAfterExpiry(session)) return <p className={classes.when}>{t('sessions.endOutlived')}</p>;
  if (!end) return <p className={classes.when}>{t('sessions.endUnknown')}</p>;
  const left = formatRelative(new Date(end.at), now, 'long');
  return (
    <p className={classes.left} data-ending={ending}>
      {ending === undefined ? <ClockIcon size={14} /> : <WarningIcon size={14} />}
      {t(ending === 'over' ? 'sessions.leftOver' : 'sessions.left', { left })}
    </p>
  );
}

function Actions({ session, isShown, run }: Omit<SessionRowProps, 'isTold' | 'doing'>) {
  const { id, account, state, ending } = session;

  async function show() {
    if (await run(id, 'use', () => api.sessions.choose({ id }))) navigate({ room: 'account' });
  }

  const verbs = {
    use: () => void show(),
    logout: () => void run(id, 'logout', () => api.sessions.logout({ id, tellServer: true })),
    retry: () => void run(id, 'retry', () => api.sessions.revoke({ id })),
    giveUp: () => void run(id, 'giveUp', () => api.sessions.forget({ id })),
    check: () => void run(id, 'check', () => api.sessions.check({ id })),
    forget: () => void run(id, 'forget', () => api.sessions.forget({ id })),
  };
  const more = t('sessions.more', { account });
  return (
    <>
      {buttonsOf[state]
        .filter((verb) => !(isShown && verb === 'use'))
        .map((verb) => (
          <Button
            key={verb}
            {...(verb === 'retry' ? outlined : quiet)}
            size="xs"
            aria-label={t(`sessions.${verb}`, { account })}
            onClick={verbs[verb]}
          >
            {t(`sessions.short.${verb}`)}
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
            {ending !== undefined && (
              <Menu.Item leftSection={<KeyIcon />} onClick={() => askAgain(session)}>
                {t('sessions.again')}
              </Menu.Item>
            )}
            {state === 'usable' && (
              <Menu.Item leftSection={<RefreshIcon />} onClick={verbs.check}>
                {t('sessions.short.check')}
              </Menu.Item>
            )}
            <Menu.Item leftSection={<BinIcon />} onClick={verbs.forget}>
              {t('sessions.short.forget')}
              <span className="block hint">{t('sessions.forgetHelp')}</span>
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

const outlined = { variant: 'default' } as const;
const quiet = { variant: 'subtle', color: 'gray' } as const;

/** What can be done at once; the rest is in the menu beside. */
const buttonsOf = {
  usable: ['use', 'logout'],
  'to-revoke': ['retry', 'giveUp'],
} as const satisfies Record<HeldSession['state'], readonly string[]>;
