import { Button, Space } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useId, useState } from 'react';
import type { CodeMethod } from '../../../preload/contract/interface.ts';
import type { AppError, Result } from '../../../preload/contract/result.ts';
import { CodeForm } from '../account/code/code-form.tsx';
import { maskEmails } from '../../../preload/contract/mask-emails.ts';
import { api, currentAppState, useApp, useServer } from '../../api.ts';
import { CountdownLabel, RetryAnnouncement } from '../../components/submit-button.tsx';
import { ProductionLabel } from '../../components/chip.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { QuestionDialog } from '../../components/question-dialog.tsx';
import { RememberMe } from '../../components/remember-me.tsx';
import { SecretInput } from '../../components/secret-input.tsx';
import { ServerDot } from '../../components/server-dot.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { t } from '../../i18n.ts';
import { logInAgain, type LogInRequest } from '../../log-in-again.ts';
import { serverName } from '../../server-name.ts';
import { useAction } from '../../use-action.ts';
import { useRetryAfter } from '../../use-retry-after.ts';

/** Asks for a password in a dialog, so that the page stays as it is. */
export function LogInAgainDialog({ request: { serverId, account, remember } }: { request: LogInRequest }) {
  const { settings, pendingLogin } = useApp();
  const { presenting } = settings;
  const server = useServer(serverId);
  const formId = useId();
  const [isVisible, setVisible] = useState(false);
  const form = useForm({ initialValues: { password: '', remember } });
  const { run, pending, failure } = useAction();
  const wait = useRetryAfter(failure);
  const isWaiting = wait !== undefined && wait.left > 0;
  const isHeld = pending || isWaiting;

  const submit = form.onSubmit(async (values) => {
    if (isHeld) return;
    setEnded(undefined);
    const result = await run(() => api.sessions.logInAgain({ serverId, email: account, ...values }));
    // Otherwise the server asks for a code.
    if (result?.ok && !currentAppState()?.pendingLogin?.isRenewal) logInAgain.set(undefined);
  });
  /** Why the server ended the login at its code. */
  const [ended, setEnded] = useState<AppError>();
  const codeId = useId();
  const [method, setMethod] = useState<CodeMethod>();
  const asked = pendingLogin?.isRenewal ? pendingLogin : undefined;
  function codeSent(result: Result<null>): void {
    if (result.ok) logInAgain.set(undefined);
    else if (!currentAppState()?.pendingLogin) setEnded(result.error);
  }

  function close(): void {
    if (pending) void api.session.cancel();
    if (asked) void api.session.cancelCode();
    logInAgain.set(undefined);
  }

  return (
    <QuestionDialog
      title={t('sessions.againTitle', { account: presenting ? maskEmails(account) : account })}
      about={
        <>
          {server && <ServerDot colour={server.colour} size={10} />}
          <UntrustedText text={serverName(server)} />
          {server?.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
        </>
      }
      help={<span id={codeId}>{t(asked ? 'sessions.codeHelp' : 'sessions.againHelp')}</span>}
      onCancel={close}
      answers={
        <>
          <Button variant="subtle" color="gray" onClick={close}>
            {t('sessions.notNow')}
          </Button>
          {!asked && (
            <Button
              type="submit"
              form={formId}
              aria-busy={pending}
              aria-disabled={isHeld || form.values.password === ''}
              data-home={wait && true}
            >
              {isWaiting ? <CountdownLabel label={t('sessions.again')} left={wait.left} /> : t('sessions.again')}
            </Button>
          )}
        </>
      }
    >
      {asked ? (
        <CodeForm
          login={asked}
          method={method ?? asked.methods[0]?.method ?? 'totp'}
          onMethod={setMethod}
          describedBy={codeId}
          onResult={codeSent}
        />
      ) : (
        <form id={formId} onSubmit={submit} noValidate>
          <SecretInput
            data-autofocus
            label={t('field.password')}
            autoComplete="current-password"
            {...form.getInputProps('password')}
            visible={isVisible}
            onToggle={() => setVisible(!isVisible)}
          />
          <Space h={12} />
          <RememberMe
            remember={form.values.remember}
            serverId={serverId}
            onChange={(value) => form.setFieldValue('remember', value)}
          />
        </form>
      )}
      {ended && <ErrorMessage error={ended} during="login" />}
      {wait && <RetryAnnouncement {...wait} />}
      {failure && wait?.left !== 0 && (
        <ErrorMessage error={failure.error} during="login" counted={wait !== undefined} />
      )}
    </QuestionDialog>
  );
}
