import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Session } from '../../../preload/contract/models.ts';
import classes from './account-page.module.css';
import { LoginScreen, ProfileScreen, RegisterScreen } from '../first-screens.ts';
import { useApp, useActiveServer } from '../../api.ts';

/** Shows the account, or the form to get to one. */
export function AccountPage() {
  const state = useApp();
  const { session } = state;
  const [newDemo, setNewDemo] = useState<string>();
  const startedRef = useRef(false);
  // Children's effects run first, so that the first screen still finds false.
  useEffect(() => {
    startedRef.current = true;
  }, []);

  return (
    <div className={classes.scroll}>
      {session.step === 'signed-out' ? (
        <SignedOut session={session} startedRef={startedRef} />
      ) : (
        // Each session has a profile of its own, so that nothing of another session is ever on the screen.
        <ProfileScreen
          key={session.sessionId}
          session={session}
          demoWasReset={newDemo === session.sessionId}
          onDemoReset={setNewDemo}
        />
      )}
    </div>
  );
}

interface SignedOutProps {
  session: Extract<Session, { step: 'signed-out' }>;
  startedRef: RefObject<boolean>;
}

/** Shows one of the two forms. The name and the email go along from one to the other. */
function SignedOut({ session, startedRef }: SignedOutProps) {
  const state = useApp();
  const { activeServerId, sessions } = state;
  const [open, setOpen] = useState<'login' | 'register'>('login');
  const [draft, setDraft] = useState({ name: '', email: session.email ?? '' });

  const server = useActiveServer();
  const takes = server?.interface;
  const paths = takes?.registrations ?? [];
  const path = paths.find((each) => each === server?.registrationPath) ?? paths[0];
  return open === 'register' && takes && path ? (
    <RegisterScreen
      key={`${activeServerId} ${path} ${takes.digest}`}
      mayRemember={!state.settings.clearOnQuit}
      offersPerson={!server.production && (state.settings.workbench || server.builtIn)}
      initialPath={path}
      showsPath={state.settings.workbench}
      takes={takes}
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
      mayRemember={!state.settings.clearOnQuit}
      builtIn={server?.builtIn ?? false}
      usesTokens={state.settings.workbench}
      mayRegister={path !== undefined}
      who={takes?.byUsername ? 'username' : 'email'}
      offersDemo={sessions.every((held) => held.state !== 'usable')}
      email={draft.email}
      notice={session.notice}
      sessions={sessions.filter(({ serverId }) => serverId === activeServerId)}
      startedRef={startedRef}
      onValuesChange={({ email }) => setDraft({ ...draft, email })}
      onRegister={() => setOpen('register')}
    />
  );
}
