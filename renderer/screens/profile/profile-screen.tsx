import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState, Session, User } from '../../../preload/contract/models.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { Actions, Cancelling } from '../../components/actions.tsx';
import { ErrorMessage, ErrorText } from '../../components/error-message.tsx';
import { Card } from '../../components/form-card.tsx';
import { Message } from '../../components/message.tsx';
import { useAttempt } from '../../use-attempt.ts';
import { AccountMenu } from './account-menu.tsx';
import { FieldValue, Fields } from './fields.tsx';
import { Understood } from './understood.tsx';

/** A check that was made says its outcome in the session; that none was made is said by its failure alone. */
const notMade: ReadonlySet<AppError['kind']> = new Set(['not-now', 'other-address', 'locked', 'bug']);

type PresentSession = Exclude<Session, { step: 'signed-out' }>;

interface ProfileScreenProps {
  session: PresentSession;
  state: AppState;
  onOpenSessions: () => void;
  /** Leads to where places can be pinned. */
  onPin: () => void;
}

export function ProfileScreen({ session, state, onOpenSessions, onPin }: ProfileScreenProps) {
  const { activeServerId } = state;
  const { t } = useTranslation();
  const logout = useAttempt(activeServerId);
  const check = useAttempt(activeServerId);
  const headingRef = useRef<HTMLHeadingElement>(null);
  const alertRef = useRef<HTMLDivElement>(null);
  const failure =
    logout.failure ?? (check.failure && notMade.has(check.failure.error.kind) ? check.failure : undefined);

  useEffect(() => headingRef.current?.focus(), []);
  useEffect(() => {
    if (failure) alertRef.current?.focus();
  }, [failure]);
  // "Cancel" and "Check again" go away with the check they belong to: the focus must not go with them.
  const checkState = session.step === 'restoring' || check.sending ? 'checking' : session.check.state;
  useEffect(() => {
    if (checkState !== 'checking' && document.activeElement === document.body) headingRef.current?.focus();
  }, [checkState]);

  function submit(event: FormEvent): void {
    event.preventDefault();
    check.dismiss();
    void logout.run(() => api.sessions.logout({ id: session.sessionId, tellServer: true }));
  }

  return (
    <Card
      title={t('screen.profile')}
      headingRef={headingRef}
      above={<AccountMenu session={session} state={state} onOpenSessions={onOpenSessions} />}
    >
      {failure && (
        <ErrorMessage error={failure.error} during={logout.failure ? 'logout' : 'check'} wait={0} ref={alertRef} />
      )}
      <CheckState
        session={session}
        checking={check.sending}
        onCheck={() => {
          logout.dismiss();
          void check.run(() => api.sessions.check({ id: session.sessionId }));
        }}
      />
      <KnownFields user={session.user} />
      {session.user.rest.length > 0 && (
        <Stack gap="xs" component="section" aria-labelledby="other-fields">
          <Title order={2} size="h5" id="other-fields">
            {t('profile.otherFields')}
          </Title>
          <Fields
            fields={session.user.rest.map((field) => ({
              label: field.path,
              mono: true,
              value: field.masked ? (
                <Text inherit c="dimmed" fs="italic">
                  {t('profile.hidden')}
                </Text>
              ) : (
                <FieldValue text={field.value} />
              ),
            }))}
          />
        </Stack>
      )}
      <form onSubmit={submit}>
        <Actions label={t('screen.logout')} sending={logout.sending} wait={0} />
      </form>
      {session.step === 'signed-in' && session.understood.length > 0 && (
        <Understood answers={session.understood} onPin={onPin} />
      )}
    </Card>
  );
}

function KnownFields({ user }: { user: User }) {
  const { t } = useTranslation();
  const known = ['name', 'email', 'id'] as const;
  return (
    <Fields
      fields={known.map((key) => {
        const text = user[key];
        return {
          label: t(`profile.${key}`),
          value:
            text === undefined ? (
              <Text inherit c="dimmed">
                {t('profile.notSent')}
              </Text>
            ) : (
              <FieldValue text={text} />
            ),
        };
      })}
    />
  );
}

interface CheckStateProps {
  session: PresentSession;
  checking: boolean;
  onCheck: () => void;
}

/** Whether the server confirmed what is shown, and when. */
function CheckState({ session, checking, onCheck }: CheckStateProps) {
  const { t, i18n } = useTranslation();
  if (session.step === 'restoring') return <Cancelling sending waiting={t('profile.restoring')} />;

  const { check } = session;
  const button = (
    <Button variant="default" size="xs" aria-busy={checking} aria-disabled={checking} onClick={onCheck}>
      {t('profile.checkAgain')}
    </Button>
  );
  return (
    <Stack gap="xs">
      {check.state === 'checked' ? (
        <Group justify="space-between">
          <Text component="output" size="sm" c="dimmed">
            {t('profile.checked', { time: timeOfDay(check.at, i18n.language) })}
          </Text>
          {button}
        </Group>
      ) : (
        <Message tone="warning" aside={<div>{button}</div>}>
          <ErrorText error={check.error} during="check" prefix={(why) => t('profile.unchecked', { why })} />
        </Message>
      )}
      {checking && <Cancelling sending waiting={t('profile.restoring')} />}
    </Stack>
  );
}

function timeOfDay(iso: string, language: string): string {
  return new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(new Date(iso));
}
