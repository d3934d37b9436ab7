import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState, Session } from '../preload/contract/models.ts';
import classes from './app.module.css';
import { ErrorText } from './components/error-message.tsx';
import { KeyRingLogo } from './components/icons.tsx';
import { Message } from './components/message.tsx';
import { ServerSelector } from './components/server-selector.tsx';
import { SettingsMenu } from './components/settings-menu.tsx';
import { StatusBar } from './components/status-bar.tsx';
import { LoginScreen } from './screens/login/login-screen.tsx';
import { ProfileScreen } from './screens/profile/profile-screen.tsx';
import { RegisterScreen } from './screens/register/register-screen.tsx';

/** The window's frame and the screen that the session calls for. */
export function App({ state }: { state: AppState }) {
  const { t, i18n } = useTranslation();

  useLayoutEffect(() => {
    document.documentElement.lang = state.language;
    if (i18n.language !== state.language) void i18n.changeLanguage(state.language);
  }, [i18n, state.language]);

  return (
    <>
      <header className={classes.header}>
        <span className={classes.brand}>
          <KeyRingLogo />
          {t('app.name')}
        </span>
        <ServerSelector state={state} />
        <SettingsMenu settings={state.settings} />
      </header>
      <main className={classes.main}>
        {state.service.state === 'failed' && (
          <Message tone="error">
            <ErrorText error={{ kind: 'service-stopped', message: state.service.message }} during="server" />
          </Message>
        )}
        <CurrentScreen state={state} />
      </main>
      <StatusBar state={state} />
    </>
  );
}

function CurrentScreen({ state }: { state: AppState }) {
  const { session, activeServerId } = state;
  const startedRef = useRef(false);
  // Children's effects run first, so that the first screen still finds false.
  useEffect(() => {
    startedRef.current = true;
  }, []);

  return session.step === 'signed-out' ? (
    <SignedOut session={session} activeServerId={activeServerId} startedRef={startedRef} />
  ) : (
    <ProfileScreen session={session} activeServerId={activeServerId} />
  );
}

interface SignedOutProps {
  session: Extract<Session, { step: 'signed-out' }>;
  activeServerId: string;
  startedRef: RefObject<boolean>;
}

/** The two forms; the name and the email go along from one to the other. */
function SignedOut({ session, activeServerId, startedRef }: SignedOutProps) {
  const [open, setOpen] = useState<'login' | 'register'>('login');
  const [draft, setDraft] = useState({ name: '', email: session.email ?? '' });

  return open === 'register' ? (
    <RegisterScreen
      activeServerId={activeServerId}
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
      activeServerId={activeServerId}
      email={draft.email}
      notice={session.notice}
      startedRef={startedRef}
      onValuesChange={({ email }) => setDraft({ ...draft, email })}
      onRegister={() => setOpen('register')}
    />
  );
}
