import { Button, TextInput } from '@mantine/core';
import { type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { SessionInfo } from '../../../../preload/contract/models.ts';
import type { AppError } from '../../../../preload/contract/result.ts';
import { api, isReadAloud, useActiveServer, useApp } from '../../../api.ts';
import { Alert } from '../../../components/alert.tsx';
import { Avatar } from '../../../components/avatar.tsx';
import { ErrorMessage } from '../../../components/error-message.tsx';
import { FormCard, FormLink, FormServer } from '../../../components/form-card.tsx';
import { Fold } from '../../../components/fold.tsx';
import { MailIcon, PlayIcon } from '../../../components/icons.tsx';
import { lazyComponent } from '../../../components/lazy-component.tsx';
import linkClasses from '../../../components/link-button.module.css';
import { plainText } from '../../../components/plain-text.ts';
import { RememberMe } from '../../../components/remember-me.tsx';
import { SecretInput } from '../../../components/secret-input.tsx';
import { SubmitButton } from '../../../components/submit-button.tsx';
import { UntrustedText } from '../../../components/untrusted-text.tsx';
import { displayName } from '../../../display-name.ts';
import { t } from '../../../i18n.ts';
import { setMatchingInterfaces } from '../../../matching-interfaces.ts';
import { moveFocus } from '../../../move-focus.ts';
import { navigate } from '../../../route.ts';
import { useAccountForm } from '../../../use-account-form.tsx';
import { useAction } from '../../../use-action.ts';
import classes from '../account-form.module.css';
import { LoginNotice, LogoutsConfirmed, useLogoutsConfirmed } from './login-notice.tsx';

const TokenDialog = lazyComponent(async () => (await import('../token-dialog.tsx')).TokenDialog);

export interface LoginScreenProps {
  hasRegistration: boolean;
  /** The initial value of the field for the account. */
  email: string;
  /**
   * False when the window was just opened and the user wants to type. Later the heading takes the focus for screen
   * readers.
   */
  startedRef: RefObject<boolean>;
  onEmail: (email: string) => void;
  onRegister: () => void;
}

/**
 * The login form. The accounts to choose from, and the notice of the previous session, are in the card only if they
 * were there at first. Later ones are below everything else, where they move nothing.
 */
export function LoginScreen({ hasRegistration, email, startedRef, onEmail, onRegister }: LoginScreenProps) {
  const { settings, session, sessions: allSessions, activeServerId } = useApp();
  const { baseUrl, builtIn, interface: accepted } = useActiveServer();
  const accountField = accepted?.byUsername ? 'username' : 'email';
  const features = accepted?.account;
  const [code, setCode] = useState('');
  const mail = useRequestedEmail();
  const form = useAccountForm({
    fields: [accountField, 'password'],
    initialValues: { [accountField]: email },
    async send({ [accountField]: account, password }, remember) {
      mail.dismiss();
      const result = await api.session.login({ email: account, password, remember, ...(code !== '' && { code }) });
      if (!result.ok && result.error.kind === 'session-in-cookie') setMatchingInterfaces(baseUrl, result.error.fits);
      return result;
    },
    onValuesChange: (values) => onEmail(values[accountField]),
  });

  const sessions = allSessions.filter(({ serverId }) => serverId === activeServerId);
  const usable = sessions.filter(({ state }) => state === 'usable');
  const pendingLogouts = sessions.filter(({ state }) => state === 'to-revoke');
  const sessionNotice = session.step === 'signed-out' ? session.notice : undefined;
  // The notice disappears once the user has tried to log in.
  const [first] = useState(() => JSON.stringify(sessionNotice));
  const isOver = form.hasSent && JSON.stringify(sessionNotice) === first;
  const notice = isOver
    ? undefined
    : (sessionNotice ?? (pendingLogouts.length > 0 ? ({ kind: 'logged-out-here-only' } as const) : undefined));
  const areConfirmed = useLogoutsConfirmed(activeServerId, pendingLogouts.length);
  const showsConfirmed =
    areConfirmed && !form.hasSent && (sessionNotice === undefined || sessionNotice.kind === 'logged-out-here-only');

  const headingRef = useRef<HTMLHeadingElement>(null);
  const noticeRef = useRef<HTMLDivElement>(null);
  const noticeId = useId();
  const [isNoticeRead] = useState(sessionNotice !== undefined);
  const focusOnMount = useEffectEvent(() => {
    if (!isReadAloud()) {
      form.focusFirstEmpty();
      noticeRef.current?.closest('[data-message]')?.scrollIntoView({ block: 'nearest' });
    } else if (startedRef.current || isNoticeRead) moveFocus(headingRef.current);
    else form.focus(accountField);
  });
  useEffect(() => focusOnMount(), []);

  const isNoticeInCard = useWasThereAtFirst(activeServerId, notice !== undefined);
  const shownNotice = showsConfirmed ? (
    <LogoutsConfirmed />
  ) : (
    notice && (
      <LoginNotice
        notice={notice}
        pendingLogouts={pendingLogouts}
        id={noticeId}
        ref={isNoticeRead ? noticeRef : undefined}
      />
    )
  );
  const areAccountsInCard = useWasThereAtFirst(activeServerId, usable.length > 0);
  const accounts = usable.length > 0 && <OtherAccounts sessions={usable} />;
  return (
    <FormCard
      title={t(sessionNotice?.kind === 'session-ended' ? 'screen.loginAgain' : 'screen.login')}
      headingRef={headingRef}
      fields={2}
      describedBy={isNoticeRead && notice ? noticeId : undefined}
      under={
        <>
          {hasRegistration && (
            <FormLink question={t('login.noAccount')} label={t('screen.register')} onOpen={onRegister} />
          )}
          {settings.workbench && <UseToken />}
          {builtIn && allSessions.every(({ state }) => state !== 'usable') && (
            <TryOffline hasCode={features?.secondFactor !== undefined} />
          )}
        </>
      }
      after={
        <>
          {!areAccountsInCard && accounts}
          {!isNoticeInCard && shownNotice}
        </>
      }
    >
      <FormServer preposition="to" />
      {areAccountsInCard && accounts && <div className={classes.above}>{accounts}</div>}
      <form onSubmit={form.submit} noValidate>
        <TextInput
          {...form.input(accountField)}
          label={t(`field.${accountField}`)}
          inputMode={accountField === 'email' ? 'email' : 'text'}
          {...plainText}
          autoComplete="username"
        />
        <SecretInput
          {...form.input('password')}
          label={t('field.password')}
          autoComplete="current-password"
          visible={form.secretsVisible}
          onToggle={form.toggleSecrets}
        />
        {features?.forgotPassword && (
          <button
            type="button"
            className={`${linkClasses.link} ${classes.forgot}`}
            data-size="small"
            aria-busy={mail.pending}
            onClick={() => {
              if (form.checkAccount(accountField)) void mail.request('forgotPassword', form.value(accountField));
            }}
          >
            {t('login.forgot')}
          </button>
        )}
        {features?.secondFactor === 'offered' && (
          <div className={classes.haveCode}>
            <Fold title={t('code.have')} value="">
              <TextInput
                name="code"
                label={t('code.haveLabel')}
                {...plainText}
                autoComplete="one-time-code"
                value={code}
                onChange={({ currentTarget }) => setCode(currentTarget.value.replaceAll(/[\s-]/g, ''))}
              />
            </Fold>
          </div>
        )}
        <RememberMe remember={form.remember} onChange={form.setRemember} />
        <SubmitButton
          label={t('screen.login')}
          waitingLabel={t('screen.loginAgain')}
          sending={form.sending}
          wait={form.wait}
        >
          {mail.shown ??
            (form.failure ? (
              <ErrorMessage
                during="login"
                {...form.failure}
                action={
                  features?.resendConfirmation && isUnconfirmed(form.failure.error)
                    ? {
                        label: t('login.resend'),
                        isBusy: mail.pending,
                        onPress: () => void mail.request('resendConfirmation', form.value(accountField)),
                      }
                    : undefined
                }
              />
            ) : (
              isNoticeInCard && shownNotice
            ))}
        </SubmitButton>
      </form>
    </FormCard>
  );
}

const isUnconfirmed = (error: AppError): boolean => error.kind === 'account-held' && error.state === 'unconfirmed';

/** Requests an email. Its message is the same whatever the server responds, which may tell who has an account. */
function useRequestedEmail() {
  const { run, pending, failure, dismiss } = useAction();
  const [isSent, setSent] = useState(false);
  return {
    pending,
    async request(name: 'forgotPassword' | 'resendConfirmation', account: string): Promise<void> {
      setSent(false);
      const result = await run(() => api.session[name]({ account }));
      setSent(result?.ok ?? false);
    },
    dismiss() {
      dismiss();
      setSent(false);
    },
    shown: failure ? (
      <ErrorMessage error={failure.error} during="server" />
    ) : isSent ? (
      <Alert tone="info" icon={MailIcon} title={t('login.emailSent')} />
    ) : undefined,
  };
}

/** Number of accounts above the form, which must stay in sight. The others are in the page of all sessions. */
const mostAccounts = 5;

/** Accounts that are logged in already, so that the form need not be filled in. */
function OtherAccounts({ sessions }: { sessions: readonly SessionInfo[] }) {
  const { run, failure } = useAction();
  return (
    <div className="grid gap8">
      {sessions.slice(0, mostAccounts).map(({ id, account, ...held }) => {
        const name = displayName(held);
        return (
          <button
            key={id}
            type="button"
            className={classes.account}
            aria-label={t('account.continueAs', { account })}
            onClick={() => void run(() => api.sessions.choose({ id }))}
          >
            <Avatar of={name ?? account} size="medium" />
            <span>
              <bdi className={classes.name}>{t('account.continueAs', { account: name ?? account })}</bdi>
              {name !== undefined && <UntrustedText className="two-lines hint" text={account} />}
            </span>
          </button>
        );
      })}
      {sessions.length > mostAccounts && (
        <button
          type="button"
          className={`${linkClasses.link} ${classes.rest}`}
          data-size="small"
          onClick={() => navigate({ page: 'sessions' })}
        >
          {t('sessions.title')}
        </button>
      )}
      {failure && <ErrorMessage error={failure.error} during="check" />}
      <p className={classes.or}>{t('account.or')}</p>
    </div>
  );
}

function UseToken() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" className={linkClasses.link} data-size="small" onClick={() => setIsOpen(true)}>
        {t('session.token.useOne')}
      </button>
      {isOpen && <TokenDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** Opens the profile of the demo. */
function TryOffline({ hasCode }: { hasCode: boolean }) {
  const { run, pending, failure } = useAction();
  return (
    <div className={classes.demo}>
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        leftSection={<PlayIcon />}
        aria-busy={pending}
        aria-describedby="try-offline-help"
        onClick={() => void run(api.demo.start)}
      >
        {t('demo.try')}
      </Button>
      {hasCode && (
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          aria-busy={pending}
          aria-describedby="try-offline-help"
          onClick={() => void run(api.demo.startWithCode)}
        >
          {t('demo.tryCode')}
        </Button>
      )}
      <p id="try-offline-help" className="flush hint">
        {t('demo.help')}
      </p>
      <div aria-live="polite">{pending && t('demo.starting')}</div>
      {failure && <ErrorMessage error={failure.error} during="server" />}
    </div>
  );
}

/** True if `isThere` was true when the form of this server was first shown. */
function useWasThereAtFirst(serverId: string, isThere: boolean): boolean {
  const [first, setFirst] = useState({ serverId, isThere });
  if (first.serverId === serverId) return first.isThere;
  setFirst({ serverId, isThere });
  return isThere;
}
