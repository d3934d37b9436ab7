import { TextInput } from '@mantine/core';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { HeldSession, Notice } from '../../../../preload/contract/models.ts';
import { api } from '../../../api.ts';
import { arriveAt } from '../../../arrive.ts';
import { Actions } from '../../../components/actions.tsx';
import { ErrorMessage } from '../../../components/error-message.tsx';
import { FormCard, OtherScreen, Where } from '../../../components/form-card.tsx';
import { RememberMe } from '../../../components/remember-me.tsx';
import { SecretInput } from '../../../components/secret-input.tsx';
import { useStartServer } from '../../../components/start-server.tsx';
import { useTexts } from '../../../texts.tsx';
import { type AccountValues, useAccountForm } from '../../../use-account-form.tsx';
import classes from '../account-form.module.css';
import { NoticeMessage } from './notice-message.tsx';
import { OtherAccounts } from './other-accounts.tsx';
import { PendingRevocations } from './pending-revocations.tsx';
import { TryOffline } from './try-offline.tsx';
import { useThereAtFirst } from './use-there-at-first.ts';

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

/**
 * Shows the form to log in. What there is to say or to choose when it is first shown stands above its fields; what comes
 * later stands below its button, where it moves nothing.
 */
export function LoginScreen(props: LoginScreenProps) {
  const { activeServerId, mayRemember, email, notice, sessions, startedRef, onValuesChange, onRegister } = props;
  const { t } = useTexts();
  const alertRef = useRef<HTMLDivElement>(null);
  const form = useAccountForm({
    fields,
    initialValues: { email },
    activeServerId,
    send: ({ email: typed, password }, remember) => api.session.login({ email: typed, password, remember }),
    onValuesChange,
    alertRef,
  });
  const headingRef = useRef<HTMLHeadingElement>(null);
  const noticeRef = useRef<HTMLDivElement>(null);
  // What was there before an attempt is over with it.
  const [firstNotice] = useState(() => JSON.stringify(notice));
  const isOver = form.hasSent && JSON.stringify(notice) === firstNotice;
  const isNoticeAbove = useThereAtFirst(activeServerId, notice !== undefined);
  const start = useStartServer(activeServerId, () => form.focus('email'));
  const usable = sessions.filter(({ state }) => state === 'usable');
  const areAccountsAbove = useThereAtFirst(activeServerId, usable.length > 0);

  const focusOnArrival = useEffectEvent(() => {
    if (noticeRef.current) arriveAt(noticeRef.current);
    else if (startedRef.current) arriveAt(headingRef.current);
    else form.focus('email');
  });
  useEffect(() => focusOnArrival(), []);

  // One that comes later leaves the focus where the person is.
  const shownNotice = notice && (isNoticeAbove || !isOver) && (
    <NoticeMessage notice={notice} ref={isNoticeAbove ? noticeRef : undefined} />
  );
  const accounts = usable.length > 0 && <OtherAccounts sessions={usable} activeServerId={activeServerId} />;
  return (
    <FormCard
      title={t('screen.login')}
      headingRef={headingRef}
      where={<Where preposition="to" start={start.offer} />}
      under={<Under {...props} onRegister={onRegister} />}
      wrong={
        form.alert ? <ErrorMessage error={form.alert} during="login" {...form.said} ref={alertRef} /> : start.wrong
      }
      after={
        <>
          {!form.alert && !isNoticeAbove && !form.sending && shownNotice}
          {!areAccountsAbove && accounts}
          <PendingRevocations sessions={sessions} activeServerId={activeServerId} />
        </>
      }
    >
      {isNoticeAbove && shownNotice && (
        <div className={classes.above} data-over={isOver}>
          {shownNotice}
        </div>
      )}
      {areAccountsAbove && accounts && <div className={classes.above}>{accounts}</div>}
      <form onSubmit={form.submit} noValidate>
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
      </form>
    </FormCard>
  );
}

/** Leads to the other form and to the demo, below the card. */
function Under({ activeServerId, builtIn, offersDemo, onRegister }: LoginScreenProps) {
  const { t } = useTexts();
  return (
    <>
      <OtherScreen question={t('login.noAccount')} label={t('screen.register')} onOpen={onRegister} />
      {builtIn && offersDemo && <TryOffline activeServerId={activeServerId} />}
    </>
  );
}
