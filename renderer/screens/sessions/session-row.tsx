import { ActionIcon, Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HeldSession } from '../../../preload/contract/models.ts';
import { seenName } from '../../account-name.ts';
import { api, useAppState } from '../../api.ts';
import { Avatar } from '../../components/avatar.tsx';
import { Chip } from '../../components/chip.tsx';
import { BinIcon, MoreIcon, RefreshIcon, WarningIcon } from '../../components/icons.tsx';
import { go } from '../../place.ts';
import { plainAddress } from '../../plain-address.ts';
import type { During } from '../../say-error.ts';
import type { useAttempt } from '../../use-attempt.ts';
import { useMinute } from '../../use-minute.ts';
import { sayExactly, sayMoment, saySpan } from '../account/profile/say-moment.ts';
import classes from './session-row.module.css';

type Attempt = ReturnType<typeof useAttempt>['run'];
/** `during` is given, since a logout that a server does not offer has sentences of its own. */
export type Run = (during: During, ...args: Parameters<Attempt>) => ReturnType<Attempt>;

interface SessionRowProps {
  session: HeldSession;
  isShown: boolean;
  run: Run;
}

/** Shows one session: who it is, what is known of it, and what can be done with it. */
export function SessionRow({ session, isShown, run }: SessionRowProps) {
  const { t } = useTranslation();
  const isSimple = useAppState()?.settings.workbench === false;
  const { account, state, baseUrl } = session;
  const name = seenName(session);
  return (
    <li className={classes.row} data-session={session.id}>
      <Avatar of={name ?? account} size="medium" />
      <div className={classes.who}>
        <p className={classes.name}>
          <bdi>{name ?? account}</bdi>
          {isShown && <Chip tone="info">{t('sessions.shown')}</Chip>}
          {state !== 'usable' && (
            <Chip tone="warn" icon={<WarningIcon />}>
              {t(`sessions.chip.${state}`)}
            </Chip>
          )}
        </p>
        {name !== undefined && <bdi className={classes.email}>{account}</bdi>}
      </div>
      <div className={classes.facts}>
        <Facts session={session} />
        {state !== 'usable' && (
          <p className={classes.why}>{t(`sessions.${state}`, { baseUrl: plainAddress(baseUrl, isSimple) })}</p>
        )}
      </div>
      <Actions session={session} isShown={isShown} run={run} />
    </li>
  );
}

/** The number of the token is for those who work with the Workbench. */
function Facts({ session: { madeAt, checkedAt, end, tokenId } }: { session: HeldSession }) {
  const { t, i18n } = useTranslation();
  const isWorkbench = useAppState()?.settings.workbench ?? false;
  const exact = (iso: string) => sayExactly(new Date(iso), i18n.language);
  const [now] = useState(() => Date.now());
  const minute = useMinute();
  const said = (iso: string) => sayMoment(new Date(iso), i18n.language, now);
  return (
    <p className={classes.when}>
      {madeAt !== undefined && <span title={exact(madeAt)}>{t('sessions.made', { time: said(madeAt) })} · </span>}
      {checkedAt === undefined ? (
        t('sessions.neverChecked')
      ) : (
        <span title={exact(checkedAt)}>{t('sessions.checked', { time: said(checkedAt) })}</span>
      )}
      {' · '}
      {end ? (
        <span title={exact(end.at)}>
          {t('sessions.ends', { time: said(end.at), left: saySpan(new Date(end.at), i18n.language, minute) })}
        </span>
      ) : (
        t('sessions.endUnknown')
      )}
      {isWorkbench && tokenId !== undefined && ` · ${t('sessions.token', { id: tokenId })}`}
    </p>
  );
}

function Actions({ session: { id, account, state }, isShown, run }: SessionRowProps) {
  const { t } = useTranslation();

  async function show() {
    const result = await run('check', () => api.sessions.choose({ id }));
    if (result?.ok) go({ room: 'account' });
  }

  const verbs = {
    use: () => void show(),
    logout: () => void run('logout', () => api.sessions.logout({ id, tellServer: true })),
    retry: () => void run('logout', () => api.sessions.revoke({ id })),
    giveUp: () => void run('check', () => api.sessions.forget({ id })),
    check: () => void run('check', () => api.sessions.check({ id })),
    forget: () => void run('check', () => api.sessions.forget({ id })),
  };
  const more = t('sessions.more', { account });
  return (
    <div className={classes.actions}>
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
            {state === 'usable' && (
              <Menu.Item leftSection={<RefreshIcon />} onClick={verbs.check}>
                {t('sessions.short.check')}
              </Menu.Item>
            )}
            <Menu.Item leftSection={<BinIcon />} onClick={verbs.forget}>
              {t('sessions.short.forget')}
              <span className={classes.hint}>{t('sessions.forgetHelp')}</span>
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}

const outlined = { variant: 'default' } as const;
const quiet = { variant: 'subtle', color: 'gray' } as const;

/** What can be done at once; the rest is in the menu beside. */
const buttonsOf = {
  usable: ['use', 'logout'],
  'other-address': ['logout'],
  'to-revoke': ['retry', 'giveUp'],
} as const satisfies Record<HeldSession['state'], readonly string[]>;
