import { type RefObject, useEffect, useRef, useState } from 'react';
import { useActiveServer, useApp } from '../../api.ts';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { LoginScreen } from './login/login-screen.tsx';
import { ProfileScreen } from './profile/profile-screen.tsx';
import classes from './account-page.module.css';

const CodeScreen = lazyComponent(async () => (await import('./code/code-screen.tsx')).CodeScreen);
const RegisterScreen = lazyComponent(async () => (await import('./register/register-screen.tsx')).RegisterScreen);

/** The account, or one of the two forms that lead to one. */
export function AccountPage() {
  const { session } = useApp();
  const startedRef = useRef(false);
  // Effects of children run first, so the first screen still reads false.
  useEffect(() => {
    startedRef.current = true;
  }, []);
  return (
    <div className={classes.scroll}>
      {session.step === 'signed-out' ? (
        <SignedOut email={session.email} startedRef={startedRef} />
      ) : (
        // Keyed by session, so that nothing of another session is ever shown.
        <ProfileScreen key={session.sessionId} session={session} />
      )}
    </div>
  );
}

/** Both forms share the name and the email. */
function SignedOut({ email, startedRef }: { email: string | undefined; startedRef: RefObject<boolean> }) {
  const [shown, setShown] = useState<'login' | 'register'>('login');
  const [draft, setDraft] = useState({ name: '', email: email ?? '' });
  const { id, interface: accepted, registrationPath } = useActiveServer();
  const { pendingLogin } = useApp();
  const paths = accepted?.registrations ?? [];
  const path = paths.find((each) => each === registrationPath) ?? paths[0];
  if (pendingLogin?.serverId === id && !pendingLogin.isRenewal) return <CodeScreen key={id} login={pendingLogin} />;
  return shown === 'register' && accepted && path ? (
    <RegisterScreen
      key={`${id} ${path} ${accepted.digest}`}
      initialPath={path}
      accepted={accepted}
      draft={draft}
      onDraft={setDraft}
      onLogin={() => setShown('login')}
      onRegistered={(account) => {
        setDraft({ name: '', email: account });
        setShown('login');
      }}
    />
  ) : (
    <LoginScreen
      hasRegistration={path !== undefined}
      email={draft.email}
      startedRef={startedRef}
      onEmail={(typed) => setDraft({ ...draft, email: typed })}
      onRegister={() => setShown('register')}
    />
  );
}
