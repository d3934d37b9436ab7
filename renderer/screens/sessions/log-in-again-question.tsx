import { Button, Space } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { api, useApp, useServer } from '../../api.ts';
import { ProductionLabel } from '../../components/chip.tsx';
import { Counted, WaitSaid } from '../../components/actions.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { NoticeSlot } from '../../components/alert.tsx';
import { QuestionDialog } from '../../components/question-dialog.tsx';
import { RememberMe } from '../../components/remember-me.tsx';
import { SecretInput } from '../../components/secret-input.tsx';
import { ServerDot } from '../../components/server-dot.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { logInAgain, type WantedLogIn } from '../../log-in-again.ts';
import { maskEmails } from '../../../preload/contract/mask-emails.ts';
import { serverName } from '../../server-name.ts';
import { useAction } from '../../use-action.ts';
import { useRetryAfter } from '../../use-retry-after.ts';
import { t } from '../../i18n.ts';

/** Asks for a password over the room the person is in, which stays as it is. */
export function LogInAgainQuestion({ wanted }: { wanted: WantedLogIn }) {
  const state = useApp();
  const { serverId, account } = wanted;
  const formId = useId();
  const [password, setPassword] = useState('');
  const [isVisible, setVisible] = useState(false);
  const [remember, setRemember] = useState(wanted.remember);
  const attempt = useAction();
  const wait = useRetryAfter(attempt.failure);
  const server = useServer(serverId);
  const isWaiting = wait !== undefined && wait.left > 0;
  const isHeld = attempt.pending || isWaiting;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isHeld) return;
    const result = await attempt.run(() => api.sessions.logInAgain({ serverId, email: account, password, remember }));
    if (result?.ok) logInAgain.set(undefined);
  }
  function keep(): void {
    if (attempt.pending) void api.session.cancel();
    logInAgain.set(undefined);
  }

  return (
    <QuestionDialog
      title={t('sessions.againTitle', { account: state.settings.presenting ? maskEmails(account) : account })}
      about={
        <>
          {server && <ServerDot colour={server.colour} size={10} />}
          <UntrustedText text={serverName(server)} />
          {server?.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
        </>
      }
      help={t('sessions.againHelp')}
      onKeep={keep}
      answers={
        <>
          <Button variant="subtle" color="gray" onClick={keep}>
            {t('sessions.notNow')}
          </Button>
          <Button type="submit" form={formId} aria-busy={attempt.pending} aria-disabled={isHeld || password === ''}>
            {isWaiting ? <Counted again={t('sessions.again')} left={wait.left} /> : t('sessions.again')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={(event) => void submit(event)} noValidate>
        <SecretInput
          data-autofocus
          label={t('field.password')}
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visible={isVisible}
          onToggle={() => setVisible(!isVisible)}
        />
        <Space h={12} />
        <RememberMe may={!state.settings.clearOnQuit} remember={remember} serverId={serverId} onChange={setRemember} />
      </form>
      {wait && <WaitSaid {...wait} />}
      <NoticeSlot>
        {attempt.failure && wait?.left !== 0 && (
          <ErrorMessage error={attempt.failure.error} during="login" counted={wait !== undefined} />
        )}
      </NoticeSlot>
    </QuestionDialog>
  );
}
