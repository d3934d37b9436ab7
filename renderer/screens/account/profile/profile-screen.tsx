import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState, Session, User } from '../../../../preload/contract/models.ts';
import type { AppError } from '../../../../preload/contract/result.ts';
import { api } from '../../../api.ts';
import { Actions } from '../../../components/actions.tsx';
import { ErrorMessage, ErrorText } from '../../../components/error-message.tsx';
import { Card } from '../../../components/form-card.tsx';
import { Message } from '../../../components/message.tsx';
import { useAttempt } from '../../../use-attempt.ts';
import { FieldValue, Fields } from '../../../answers/fields.tsx';
import { Understood } from '../../../answers/understood.tsx';

/** With these errors no check was made, so only the failure says it. One that was made is in the session. */
const notMade: ReadonlySet<AppError['kind']> = new Set(['not-now', 'other-address', 'locked', 'bug']);

type PresentSession = Exclude<Session, { step: 'signed-out' }>;

interface ProfileScreenProps {
  session: PresentSession;
  state: AppState;
  /** Leads to where places can be pinned. */
  onPin: () => void;
}

export function ProfileScreen({ session, state, onPin }: ProfileScreenProps) {
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
  // "Cancel" goes away with its check, and the focus must not go with it.
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
    <Card title={t('screen.profile')} headingRef={headingRef}>
      <CheckState
        session={session}
        checking={check.sending}
        onCheck={() => {
          logout.dismiss();
          void check.run(() => api.sessions.check({ id: session.sessionId }));
        }}
      />
      <KnownFields user={session.user} />
      <form onSubmit={submit}>
        <Actions label={t('screen.logout')} sending={logout.sending} wait={0} />
      </form>
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
      {session.step === 'signed-in' && session.understood.length > 0 && (
        <Understood answers={session.understood} onPin={onPin} />
      )}
      <CheckFailure session={session} />
      {failure && (
        <ErrorMessage error={failure.error} during={logout.failure ? 'logout' : 'check'} wait={0} ref={alertRef} />
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

/** Says in one line whether the server confirmed what is shown, and when. */
function CheckState({ session, checking, onCheck }: CheckStateProps) {
  const { t, i18n } = useTranslation();
  const isRestoring = session.step === 'restoring';
  const asks = isRestoring || checking;

  function sayCheck(): string {
    if (session.step === 'restoring' || checking) return t('profile.restoring');
    return session.check.state === 'checked'
      ? t('profile.checked', { time: timeOfDay(session.check.at, i18n.language) })
      : t('profile.uncheckedBelow');
  }

  return (
    <Group wrap="nowrap" align="flex-start" gap="xs" mih={{ base: 64, xs: 46 }}>
      <Text component="output" size="sm" c="dimmed" flex={1} mt={2}>
        {sayCheck()}
      </Text>
      {asks && (
        <Button variant="default" size="compact-sm" flex="none" fw={500} onClick={() => void api.session.cancel()}>
          {t('app.cancel')}
        </Button>
      )}
      {!isRestoring && (
        <Button
          variant="default"
          size="compact-sm"
          fw={500}
          flex="none"
          aria-busy={checking}
          aria-disabled={checking}
          onClick={onCheck}
        >
          {t('profile.checkAgain')}
        </Button>
      )}
    </Group>
  );
}

/** Says why the server could not confirm what is shown. */
function CheckFailure({ session }: { session: PresentSession }) {
  const { t } = useTranslation();
  if (session.step === 'restoring' || session.check.state === 'checked') return null;
  return (
    <Message tone="warning">
      <ErrorText error={session.check.error} during="check" prefix={(why) => t('profile.unchecked', { why })} />
    </Message>
  );
}

function timeOfDay(iso: string, language: string): string {
  return new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(new Date(iso));
}
