import { Stack, TextInput } from '@mantine/core';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { HeldSession, Notice } from '../../../../preload/contract/models.ts';
import { api } from '../../../api.ts';
import { Actions } from '../../../components/actions.tsx';
import { ErrorMessage } from '../../../components/error-message.tsx';
import { Card, OtherScreen } from '../../../components/form-card.tsx';
import { NoticeMessage } from './notice-message.tsx';
import { OtherAccounts } from './other-accounts.tsx';
import { PendingRevocations } from './pending-revocations.tsx';
import { RememberMe } from '../../../components/remember-me.tsx';
import { SecretInput } from '../../../components/secret-input.tsx';
import { TryOffline } from './try-offline.tsx';
import { type AccountValues, useAccountForm } from '../../../use-account-form.tsx';

interface LoginScreenProps {
  activeServerId: string;
  mayRemember: boolean;
  builtIn: boolean;
  /** It is true while no server has a session that could be shown. */
  offersDemo: boolean;
  email: string;
  notice: Notice | undefined;
  /** The sessions of this server. */
  sessions: readonly HeldSession[];
  /** It holds false when the window has just opened and the person wants to type. Later the screen says where it is. */
  startedRef: RefObject<boolean>;
  onValuesChange: (values: AccountValues) => void;
  onRegister: () => void;
}

const fields = ['email', 'password'] as const;

export function LoginScreen({
  activeServerId,
  mayRemember,
  builtIn,
  offersDemo,
  email,
  notice,
  sessions,
  startedRef,
  onValuesChange,
  onRegister,
}: LoginScreenProps) {
  const { t } = useTranslation();
  const alertRef = useRef<HTMLDivElement>(null);
  const form = useAccountForm({
    fields,
    initialValues: { email },
    activeServerId,
    send: ({ email, password }, remember) => api.session.login({ email, password, remember }),
    onValuesChange,
    alertRef,
  });
  const headingRef = useRef<HTMLHeadingElement>(null);
  const noticeRef = useRef<HTMLDivElement>(null);

  const focusOnArrival = useEffectEvent(() => {
    if (noticeRef.current) noticeRef.current.focus();
    else if (startedRef.current) headingRef.current?.focus();
    else form.focus('email');
  });
  useEffect(() => focusOnArrival(), []);

  return (
    <Card title={t('screen.login')} headingRef={headingRef}>
      <form onSubmit={form.submit} noValidate>
        <Stack gap="xs">
          <TextInput
            {...form.input('email')}
            label={t('field.email')}
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
          />
          <SecretInput
            {...form.input('password')}
            label={t('field.password')}
            autoComplete="current-password"
            visible={form.secretsVisible}
            onToggle={form.toggleSecrets}
          />
          <RememberMe may={mayRemember} remember={form.remember} onChange={form.setRemember} />
          <Actions label={t('screen.login')} sending={form.sending} wait={form.wait} />
        </Stack>
      </form>
      <OtherScreen question={t('login.noAccount')} label={t('screen.register')} onOpen={onRegister} />
      {offersDemo && <TryOffline activeServerId={activeServerId} builtIn={builtIn} />}
      <OtherAccounts sessions={sessions} activeServerId={activeServerId} />
      <PendingRevocations sessions={sessions} activeServerId={activeServerId} />
      {form.alert ? (
        <ErrorMessage error={form.alert} during="login" more={form.more} wait={form.wait} ref={alertRef} />
      ) : (
        notice && !form.sending && <NoticeMessage notice={notice} ref={noticeRef} />
      )}
    </Card>
  );
}
