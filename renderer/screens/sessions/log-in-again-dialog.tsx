import { Button, Space } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useId, useState } from 'react';
import { maskEmails } from '../../../preload/contract/mask-emails.ts';
import { api, useApp, useServer } from '../../api.ts';
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
  const { presenting } = useApp().settings;
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
    const result = await run(() => api.sessions.logInAgain({ serverId, email: account, ...values }));
    if (result?.ok) logInAgain.set(undefined);
  });

  function close(): void {
    if (pending) void api.session.cancel();
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
      help={t('sessions.againHelp')}
      onCancel={close}
      answers={
        <>
          <Button variant="subtle" color="gray" onClick={close}>
            {t('sessions.notNow')}
          </Button>
          <Button
            type="submit"
            form={formId}
            aria-busy={pending}
            aria-disabled={isHeld || form.values.password === ''}
            data-home={wait && true}
          >
            {isWaiting ? <CountdownLabel label={t('sessions.again')} left={wait.left} /> : t('sessions.again')}
          </Button>
        </>
      }
    >
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
      {wait && <RetryAnnouncement {...wait} />}
      {failure && wait?.left !== 0 && (
        <ErrorMessage error={failure.error} during="login" counted={wait !== undefined} />
      )}
    </QuestionDialog>
  );
}
