import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState, HeldSession } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import classes from '../../app.module.css';
import { Room } from '../../components/room.tsx';
import { go } from '../../place.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { serverName } from '../../server-name.ts';
import { useAttempt } from '../../use-attempt.ts';

/** Lists every session that this application holds, by server. */
export function SessionsRoom({ state }: { state: AppState }) {
  const { t } = useTranslation();
  const attempt = useAttempt('');
  const [during, setDuring] = useState<VerbDuring>('check');
  const alertRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attempt.failure) alertRef.current?.focus();
  }, [attempt.failure]);
  const groups = state.servers
    .map((server) => ({
      server,
      sessions: state.sessions.filter(({ serverId }) => serverId === server.id),
    }))
    .filter(({ sessions }) => sessions.length > 0);

  return (
    <Room title={t('sessions.title')}>
      <Stack gap="md">
        {attempt.failure && <ErrorMessage error={attempt.failure.error} during={during} wait={0} ref={alertRef} />}
        <Text size="sm" c="dimmed">
          {t('sessions.help')}
        </Text>
        {groups.length === 0 && <Text size="sm">{t('sessions.none')}</Text>}
        {groups.map(({ server, sessions }) => (
          <section key={server.id} aria-label={serverName(server, t)}>
            <Title order={3} size="h5">
              <span className={classes.swatch} data-colour={server.colour} aria-hidden /> {serverName(server, t)}
            </Title>
            <ul className={classes.entries}>
              {sessions.map((session) => (
                <li key={session.id} className={classes.entry}>
                  <Facts session={session} state={state} />
                  <Verbs
                    session={session}
                    run={(doing, call) => {
                      if (!attempt.sending) setDuring(doing);
                      return attempt.run(call);
                    }}
                    onUsed={() => go({ room: 'account' })}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
        <Text size="xs" c="dimmed">
          {t('sessions.forgetHelp')}
        </Text>
      </Stack>
    </Room>
  );
}

function Facts({ session, state }: { session: HeldSession; state: AppState }) {
  const { t, i18n } = useTranslation();
  const said = (iso: string) =>
    new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));
  const { account, name, tokenId, madeAt, checkedAt } = session;
  const onScreen = state.session.step !== 'signed-out' && state.session.sessionId === session.id;
  const facts = [
    ...(tokenId === undefined ? [] : [t('sessions.token', { id: tokenId })]),
    ...(madeAt === undefined ? [] : [t('sessions.made', { time: said(madeAt) })]),
    checkedAt === undefined ? t('sessions.neverChecked') : t('sessions.checked', { time: said(checkedAt) }),
    ...(onScreen ? [t('sessions.shown')] : []),
  ];
  return (
    <div>
      <Text size="sm" fw={600}>
        <bdi>{account}</bdi>
      </Text>
      {name !== undefined && (
        <Text size="xs">
          <bdi>{name}</bdi>
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {facts.join(' · ')}
      </Text>
      {session.state !== 'usable' && (
        <Text size="xs" fw={600}>
          {t(`sessions.${session.state}`, { baseUrl: session.baseUrl })}
        </Text>
      )}
    </div>
  );
}

type VerbDuring = 'check' | 'logout';
type Run = ReturnType<typeof useAttempt>['run'];

interface VerbsProps {
  session: HeldSession;
  /** `during` is given, since a logout that a server does not offer has sentences of its own. */
  run: (during: VerbDuring, ...args: Parameters<Run>) => ReturnType<Run>;
  onUsed: () => void;
}

function Verbs({ session, run, onUsed }: VerbsProps) {
  const { t } = useTranslation();
  const { id, account, state } = session;

  async function show() {
    const result = await run('check', () => api.sessions.choose({ id }));
    if (result?.ok) onUsed();
  }

  const verbs = {
    use: () => void show(),
    check: () => void run('check', () => api.sessions.check({ id })),
    logout: () => void run('logout', () => api.sessions.logout({ id, tellServer: true })),
    forget: () => void run('check', () => api.sessions.forget({ id })),
    retry: () => void run('logout', () => api.sessions.revoke({ id })),
    giveUp: () => void run('check', () => api.sessions.forget({ id })),
  };
  return (
    <Group gap="xs">
      {verbsOf[state].map((verb) => (
        <Button
          key={verb}
          variant="default"
          size="compact-sm"
          aria-label={t(`sessions.${verb}`, { account })}
          onClick={verbs[verb]}
        >
          {t(`sessions.short.${verb}`)}
        </Button>
      ))}
    </Group>
  );
}

const verbsOf = {
  usable: ['use', 'check', 'logout', 'forget'],
  'other-address': ['logout', 'forget'],
  'to-revoke': ['retry', 'giveUp'],
} as const satisfies Record<HeldSession['state'], readonly string[]>;
