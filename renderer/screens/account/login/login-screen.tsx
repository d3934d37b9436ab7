import { TextInput } from '@mantine/core';
import { type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { HeldSession, Notice } from '../../../../preload/contract/models.ts';
import { api, isReadAloud, useActiveServer, useApp } from '../../../api.ts';
import { moveFocus } from '../../../move-focus.ts';
import { Actions } from '../../../components/actions.tsx';
import { ErrorMessage } from '../../../components/error-message.tsx';
import { FormCard, OtherScreen, Where } from '../../../components/form-card.tsx';
import { RememberMe } from '../../../components/remember-me.tsx';
import { SecretInput } from '../../../components/secret-input.tsx';
import { useStartServer } from '../../../components/start-server.tsx';
import { setMatchingInterfaces } from '../../../matching-interfaces.ts';
import { type AccountValues, useAccountForm } from '../../../use-account-form.tsx';
import { useAction } from '../../../use-action.ts';
import classes from '../account-form.module.css';
import { UseToken } from '../use-token.tsx';
import { LoginNotice, ToldNotice, useTold } from './login-notice.tsx';
import { OtherAccounts } from './other-accounts.tsx';
import { TryOffline } from './try-offline.tsx';
import { t } from '../../../i18n.ts';

export interface LoginScreenProps {
  mayRemember: boolean;
  builtIn: boolean;
  /** Whether the person works with tokens. */
  usesTokens: boolean;
  /** Whether the server makes accounts. */
  mayRegister: boolean;
  /** Which of the two the server knows a person by. */
  who: 'email' | 'username';
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

/** Logs in, and keeps which descriptions the answer of a server fits that speaks otherwise. */
function useLogIn(who: LoginScreenProps['who']) {
  const { baseUrl } = useActiveServer();
  return async ({ [who]: email, password }: AccountValues, remember: boolean) => {
    const result = await api.session.login({ email, password, remember });
    if (!result.ok && result.error.kind === 'session-in-cookie') setMatchingInterfaces(baseUrl, result.error.fits);
    return result;
  };
}

/** Returns the one thing that the form says before an attempt: of the session before, or of its logout. */
function useSaidBefore({ notice, sessions }: LoginScreenProps, hasSent: boolean) {
  const { activeServerId } = useApp();
  const pending = sessions.filter(({ state }) => state === 'to-revoke');
  const isTold = useTold(activeServerId, pending.length);
  // What was there before an attempt is over with it.
  const [first] = useState(() => JSON.stringify(notice));
  const isOver = hasSent && JSON.stringify(notice) === first;
  const untold = notice ?? (pending.length > 0 ? ({ kind: 'logged-out-here-only' } as const) : undefined);
  return {
    pending,
    isTold: isTold && !hasSent && (notice === undefined || notice.kind === 'logged-out-here-only'),
    notice: isOver ? undefined : untold,
  };
}

/**
 * Shows the form to log in. The accounts to choose from stand above its fields where they are there at first; all there
 * is to say stands below its button, one thing at a time.
 */
export function LoginScreen(props: LoginScreenProps) {
  const { activeServerId } = useApp();
  const { mayRemember, who, email, sessions, startedRef, onValuesChange, onRegister } = props;
  const form = useAccountForm({
    fields: [who, 'password'],
    initialValues: { [who]: email },
    send: useLogIn(who),
    onValuesChange: (values) => onValuesChange({ ...values, email: values[who] }),
  });
  const headingRef = useRef<HTMLHeadingElement>(null);
  const noticeRef = useRef<HTMLDivElement>(null);
  const before = useSaidBefore(props, form.hasSent);
  const start = useStartServer(form.focusFirstEmpty);
  const choice = useAction();
  const usable = sessions.filter(({ state }) => state === 'usable');
  const areAccountsAbove = useThereAtFirst(activeServerId, usable.length > 0);
  const [isNoticeFirst] = useState(props.notice !== undefined);
  const noticeId = useId();

  const focusOnArrival = useEffectEvent(() => {
    if (!isReadAloud()) {
      form.focusFirstEmpty();
      noticeRef.current?.closest('[data-message]')?.scrollIntoView({ block: 'nearest' });
    } else if (startedRef.current || isNoticeFirst) moveFocus(headingRef.current);
    else form.focus(who);
  });
  useEffect(() => focusOnArrival(), []);

  const wrong = form.alert ?? (choice.failure && { error: choice.failure.error });
  const said = wrong ? (
    <ErrorMessage during={form.alert ? 'login' : 'check'} {...wrong} />
  ) : (
    (start.wrong ??
    (before.isTold ? (
      <ToldNotice onFocusLost={form.focusFirstEmpty} />
    ) : (
      before.notice && (
        // One that comes later leaves the focus where the person is.
        <LoginNotice
          notice={before.notice}
          pending={before.pending}
          id={noticeId}
          ref={isNoticeFirst ? noticeRef : undefined}
        />
      )
    )))
  );
  const accounts = usable.length > 0 && <OtherAccounts sessions={usable} onChoose={choice.run} />;
  const title = t(props.notice?.kind === 'session-ended' ? 'screen.loginAgain' : 'screen.login');
  return (
    <FormCard
      title={title}
      headingRef={headingRef}
      fields={2}
      describedBy={isNoticeFirst && before.notice ? noticeId : undefined}
      where={<Where preposition="to" start={start.offer} />}
      under={<Under {...props} onRegister={onRegister} />}
      notice={form.sending ? undefined : (wrong?.error.kind ?? before.notice?.kind)}
      after={!areAccountsAbove && accounts}
    >
      {areAccountsAbove && accounts && <div className={classes.above}>{accounts}</div>}
      <form onSubmit={form.submit} noValidate>
        <Fields form={form} who={who} />
        <RememberMe may={mayRemember} remember={form.remember} onChange={form.setRemember} />
        <Actions
          label={t('screen.login')}
          again={t('screen.loginAgain')}
          sending={form.sending}
          wait={form.wait}
          notice={said}
        />
      </form>
    </FormCard>
  );
}

function Fields({ form, who }: { form: ReturnType<typeof useAccountForm>; who: LoginScreenProps['who'] }) {
  return (
    <>
      <TextInput
        {...form.input(who)}
        label={t(`field.${who}`)}
        inputMode={who === 'email' ? 'email' : 'text'}
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
    </>
  );
}

/** Leads to the other form and to the demo, below the card. */
function Under({ builtIn, usesTokens, mayRegister, offersDemo, onRegister }: LoginScreenProps) {
  return (
    <>
      {mayRegister && <OtherScreen question={t('login.noAccount')} label={t('screen.register')} onOpen={onRegister} />}
      {usesTokens && <UseToken label={t('session.token.useOne')} />}
      {builtIn && offersDemo && <TryOffline />}
    </>
  );
}

/**
 * Says whether something was there when the form of this server was first shown. Only that may stand above the fields,
 * since what comes later would push them down.
 */
function useThereAtFirst(serverId: string, isThere: boolean): boolean {
  const [first, setFirst] = useState({ serverId, isThere });
  if (first.serverId === serverId) return first.isThere;
  setFirst({ serverId, isThere });
  return isThere;
}
