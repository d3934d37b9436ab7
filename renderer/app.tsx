import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState, Session } from '../preload/contract/models.ts';
import { api } from './api.ts';
import classes from './app.module.css';
import { KeyRingLogo } from './components/icons.tsx';
import { SettingsMenu } from './components/settings-menu.tsx';
import { StatusBar } from './components/status-bar.tsx';
import { Dialogs, type OpenDialog } from './dialogs.tsx';
import { News } from './news/news.tsx';
import { CallsButton, CallsDock } from './screens/calls/calls-dock.tsx';
import { useCallsDock } from './screens/calls/use-calls-dock.ts';
import { ContractRunButton } from './screens/contract-run/contract-run-button.tsx';
import { LoginScreen } from './screens/login/login-screen.tsx';
import { DemoMark, DemoReset, isDemoShown } from './screens/profile/demo-mark.tsx';
import { ProfileScreen } from './screens/profile/profile-screen.tsx';
import { RegisterScreen } from './screens/register/register-screen.tsx';
import { ProductionDialog } from './screens/servers/production-dialog.tsx';
import { ServerBar, ServersMenu } from './screens/servers/server-bar.tsx';
import { ServerSelector } from './screens/servers/server-selector.tsx';
import { useLanguage } from './use-language.ts';
import { useShortcuts } from './use-shortcuts.ts';

/** Shows the window's frame and the screen that the session calls for. */
export function App({ state }: { state: AppState }) {
  const { t } = useTranslation();
  useLanguage(state.language);

  const [dialog, setDialog] = useState<OpenDialog>();
  const contractRunRef = useRef<HTMLButtonElement>(null);
  const active = state.servers.find(({ id }) => id === state.activeServerId);
  const isDemo = isDemoShown(state);
  const colour = active?.colour ?? 'gray';
  useLayoutEffect(() => {
    document.documentElement.dataset['serverColour'] = colour;
  }, [colour]);
  const { dock, buttonRef } = useCallsDock();
  const openBuiltInServer = () => setDialog({ kind: 'builtInServer' });
  const openContractRun = () => setDialog({ kind: 'contract-run' });
  const places = state.servers.slice(0, 9).map(({ id }, index) => [index + 1, () => void api.servers.choose({ id })]);
  useShortcuts({ e: dock.toggle, t: openContractRun, b: openBuiltInServer, ...Object.fromEntries(places) });

  return (
    <>
      <div className={classes.frame} aria-hidden />
      <header className={classes.header}>
        <div className={classes.title}>
          <span className={classes.brand}>
            <KeyRingLogo />
            {t('app.name')}
          </span>
          {active?.production && <span className={classes.production}>{t('server.production')}</span>}
        </div>
        <ServerSelector state={state} />
        <ServersMenu onOpen={setDialog} />
        <ContractRunButton ref={contractRunRef} onOpen={openContractRun} />
        <CallsButton dock={dock} ref={buttonRef} />
        <SettingsMenu settings={state.settings} onOpen={setDialog} />
      </header>
      <ServerBar servers={state.servers} activeServerId={state.activeServerId} />
      <main className={classes.main}>
        <div className={classes.screen}>
          {isDemo && <DemoMark />}
          <CurrentScreen state={state} onOpen={setDialog} />
          {isDemo && <DemoReset activeServerId={state.activeServerId} />}
        </div>
        {dock.isKnown && <News state={state} onOpenBuiltInServer={openBuiltInServer} />}
      </main>
      <CallsDock dock={dock} state={state} onPinPlace={(editing) => setDialog({ kind: 'servers', editing })} />
      <StatusBar state={state} onOpen={setDialog} />
      <Dialogs
        open={dialog}
        state={state}
        contractRunRef={contractRunRef}
        onClose={() => setDialog(undefined)}
        onShowCall={dock.show}
      />
      <ProductionDialog state={state} />
    </>
  );
}

interface CurrentScreenProps {
  state: AppState;
  onOpen: (dialog: OpenDialog) => void;
}

function CurrentScreen({ state, onOpen }: CurrentScreenProps) {
  const { session, activeServerId } = state;
  const startedRef = useRef(false);
  // Children's effects run first, so that the first screen still finds false.
  useEffect(() => {
    startedRef.current = true;
  }, []);

  return session.step === 'signed-out' ? (
    <SignedOut session={session} state={state} startedRef={startedRef} />
  ) : (
    // Each session has a profile of its own, so that nothing of another session is ever on the screen.
    <ProfileScreen
      key={session.sessionId}
      session={session}
      state={state}
      onOpenSessions={() => onOpen({ kind: 'sessions' })}
      onPin={() => onOpen({ kind: 'servers', editing: activeServerId })}
    />
  );
}

interface SignedOutProps {
  session: Extract<Session, { step: 'signed-out' }>;
  state: AppState;
  startedRef: RefObject<boolean>;
}

/** Shows one of the two forms. The name and the email go along from one to the other. */
function SignedOut({ session, state, startedRef }: SignedOutProps) {
  const { activeServerId, servers, sessions } = state;
  const [open, setOpen] = useState<'login' | 'register'>('login');
  const [draft, setDraft] = useState({ name: '', email: session.email ?? '' });

  const server = servers.find(({ id }) => id === activeServerId);
  return open === 'register' ? (
    <RegisterScreen
      key={`${activeServerId} ${server?.registrationPath}`}
      activeServerId={activeServerId}
      mayRemember={!state.settings.clearOnQuit}
      initialPath={server?.registrationPath ?? 'registro'}
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
      activeServerId={activeServerId}
      builtIn={server?.builtIn ?? false}
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
