import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState, Session } from '../preload/contract/models.ts';
import classes from './app.module.css';
import { TrustedCertificateBanner } from './components/certificate-question.tsx';
import { ContractRunButton, ContractRunDialog } from './components/contract-run.tsx';
import { ErrorText } from './components/error-message.tsx';
import { KeyRingLogo } from './components/icons.tsx';
import { Message } from './components/message.tsx';
import { EnvironmentBar, EnvironmentsMenu, useEnvironmentShortcuts } from './components/environment-bar.tsx';
import { ExchangesButton, ExchangesDock, useExchangesDock } from './components/exchanges-dock.tsx';
import { ProductionDialog } from './components/production-dialog.tsx';
import { ServerSelector } from './components/server-selector.tsx';
import { SettingsMenu } from './components/settings-menu.tsx';
import { StatusBar } from './components/status-bar.tsx';
import { UnencryptedBanner } from './components/unencrypted-banner.tsx';
import { EnvironmentsDialog } from './screens/environments/environments-dialog.tsx';
import { LoginScreen } from './screens/login/login-screen.tsx';
import { ProfileScreen } from './screens/profile/profile-screen.tsx';
import { RegisterScreen } from './screens/register/register-screen.tsx';
import { SessionsDialog } from './screens/sessions/sessions-dialog.tsx';
import type { OpenDialog } from './open-dialog.ts';

/** The window's frame and the screen that the session calls for. */
export function App({ state }: { state: AppState }) {
  const { t, i18n } = useTranslation();

  useLayoutEffect(() => {
    document.documentElement.lang = state.language;
    if (i18n.language !== state.language) void i18n.changeLanguage(state.language);
  }, [i18n, state.language]);

  const [dialog, setDialog] = useState<OpenDialog>();
  const contractRunRef = useRef<HTMLButtonElement>(null);
  const openContractRun = useCallback(() => setDialog({ kind: 'contract-run' }), []);
  const active = state.environments.find(({ id }) => id === state.activeEnvironmentId);
  const colour = active?.colour ?? 'gray';
  useLayoutEffect(() => {
    document.documentElement.dataset['environmentColour'] = colour;
  }, [colour]);
  useEnvironmentShortcuts(state.environments);
  const { dock, buttonRef } = useExchangesDock();

  return (
    <>
      <div className={classes.frame} aria-hidden />
      <header className={classes.header}>
        <span className={classes.brand}>
          <KeyRingLogo />
          {t('app.name')}
        </span>
        {active?.production && <span className={classes.production}>{t('environment.production')}</span>}
        <ServerSelector state={state} />
        <EnvironmentsMenu onOpen={setDialog} />
        <ContractRunButton ref={contractRunRef} onOpen={openContractRun} />
        <ExchangesButton dock={dock} ref={buttonRef} />
        <SettingsMenu settings={state.settings} />
      </header>
      <EnvironmentBar environments={state.environments} activeEnvironmentId={state.activeEnvironmentId} />
      <main className={classes.main}>
        {active && <UnencryptedBanner baseUrl={active.baseUrl} />}
        {active && <TrustedCertificateBanner environment={active} />}
        {state.service.state === 'failed' && (
          <Message tone="error">
            <ErrorText error={{ kind: 'service-stopped', message: state.service.message }} during="server" />
          </Message>
        )}
        <CurrentScreen state={state} onOpen={setDialog} />
      </main>
      <ExchangesDock dock={dock} state={state} onPinPlace={(editing) => setDialog({ kind: 'environments', editing })} />
      <StatusBar state={state} />
      {dialog?.kind === 'environments' && (
        <EnvironmentsDialog
          state={state}
          {...(dialog.editing !== undefined && { editing: dialog.editing })}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog?.kind === 'sessions' && <SessionsDialog state={state} onClose={() => setDialog(undefined)} />}
      {dialog?.kind === 'contract-run' && (
        <ContractRunDialog
          opener={contractRunRef}
          state={state}
          onClose={() => setDialog(undefined)}
          onShowExchange={(exchange) => {
            setDialog(undefined);
            dock.show(exchange);
          }}
        />
      )}
      <ProductionDialog state={state} />
    </>
  );
}

interface CurrentScreenProps {
  state: AppState;
  onOpen: (dialog: OpenDialog) => void;
}

function CurrentScreen({ state, onOpen }: CurrentScreenProps) {
  const { session, activeEnvironmentId } = state;
  const startedRef = useRef(false);
  // Children's effects run first, so that the first screen still finds false.
  useEffect(() => {
    startedRef.current = true;
  }, []);

  return session.step === 'signed-out' ? (
    <SignedOut session={session} state={state} startedRef={startedRef} />
  ) : (
    // A profile of its own for each session, so that nothing of another is ever on the screen.
    <ProfileScreen
      key={session.sessionId}
      session={session}
      state={state}
      onOpenSessions={() => onOpen({ kind: 'sessions' })}
      onPin={() => onOpen({ kind: 'environments', editing: activeEnvironmentId })}
    />
  );
}

interface SignedOutProps {
  session: Extract<Session, { step: 'signed-out' }>;
  state: AppState;
  startedRef: RefObject<boolean>;
}

/** The two forms; the name and the email go along from one to the other. */
function SignedOut({ session, state, startedRef }: SignedOutProps) {
  const { activeEnvironmentId, environments, sessions } = state;
  const [open, setOpen] = useState<'login' | 'register'>('login');
  const [draft, setDraft] = useState({ name: '', email: session.email ?? '' });

  const environment = environments.find(({ id }) => id === activeEnvironmentId);
  return open === 'register' ? (
    <RegisterScreen
      key={`${activeEnvironmentId} ${environment?.registrationPath}`}
      activeEnvironmentId={activeEnvironmentId}
      initialPath={environment?.registrationPath ?? 'registro'}
      name={draft.name}
      email={draft.email}
      onValuesChange={({ name, email }) => setDraft({ name, email })}
      onLogin={() => setOpen('login')}
      onRegistered={(email) => {
        setDraft({ name: '', email });
        setOpen('login');
      }}
    />
  ) : (
    <LoginScreen
      activeEnvironmentId={activeEnvironmentId}
      email={draft.email}
      notice={session.notice}
      sessions={sessions.filter(({ environmentId }) => environmentId === activeEnvironmentId)}
      startedRef={startedRef}
      onValuesChange={({ email }) => setDraft({ ...draft, email })}
      onRegister={() => setOpen('register')}
    />
  );
}
