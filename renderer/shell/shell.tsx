import { useEffect, useLayoutEffect } from 'react';
import { useActiveServer, useApp } from '../api.ts';
import { CloseButton } from '../components/close-button.tsx';
import { ErrorMessage } from '../components/error-message.tsx';
import { lazyComponent } from '../components/lazy-component.tsx';
import { Toaster } from '../components/toaster.tsx';
import { t, useLanguage } from '../i18n.ts';
import { logInAgain } from '../log-in-again.ts';
import { CurrentPage } from '../pages.tsx';
import { isWorkbenchPage, useRoute } from '../route.ts';
import { CallsDock, undock, useCallsDock } from '../screens/calls/calls-dock.tsx';
import { ProductionDialog } from './production-dialog.tsx';
import { useStore } from '../store.ts';
import { useCommands, useShortcuts } from '../use-shortcuts.ts';
import { actionFailure, overlay, runWindowCommand } from './commands.ts';
import { Header } from './header.tsx';
import { Rail } from './rail.tsx';
import classes from './shell.module.css';
import { StatusBar } from './status-bar.tsx';

const Palette = lazyComponent(async () => (await import('./palette.tsx')).Palette);
const KeysSheet = lazyComponent(async () => (await import('./keys-sheet.tsx')).KeysSheet);
const LogInAgainDialog = lazyComponent(
  async () => (await import('../screens/sessions/log-in-again-dialog.tsx')).LogInAgainDialog,
);

/** The window: the header and the status bar, whose height never changes, the rail, and the page. */
export function Shell() {
  const { settings, language } = useApp();
  useLanguage(language);
  const route = useRoute();
  const { colour, production: isProduction } = useActiveServer();
  useLayoutEffect(() => {
    document.documentElement.dataset['serverColour'] = colour;
  }, [colour]);
  useShortcuts(runWindowCommand);
  useCommands(runWindowCommand);
  const opened = useStore(overlay);
  const { workbench, presenting } = settings;
  useEffect(() => () => overlay.set(undefined), []);
  const shown = workbench || !isWorkbenchPage(route.page) ? route : ({ page: 'account' } as const);
  const isDocked = useCallsDock(workbench);
  const request = useStore(logInAgain);
  // Keyed by the presenter's view, so that a page loads its data again when that changes. The settings page, where it
  // is switched, loads nothing of accounts.
  const view = `presenting ${presenting}`;

  return (
    <div className={classes.shell} data-workbench={workbench} data-production={isProduction}>
      <Header />
      {workbench && <Rail page={shown.page} />}
      <main className={classes.main} data-region>
        <ActionFailure key={`failure, ${view}`} />
        <div className="flex slim low grow unpinned">
          <CurrentPage key={shown.page === 'settings' ? 'settings' : view} route={shown} />
          {isDocked && <CallsDock key={`calls, ${view}`} onLeave={undock} />}
        </div>
      </main>
      <Toaster key={`toast, ${view}`} />
      <StatusBar />
      {isProduction && <div className={classes.frame} aria-hidden />}
      {request && <LogInAgainDialog key={`${request.serverId} ${request.account}`} request={request} />}
      <ProductionDialog />
      {opened === 'palette' && <Palette />}
      {opened === 'keys' && <KeysSheet onClose={() => overlay.set(undefined)} />}
    </div>
  );
}

/** The failure of a command. It may name an account, so it is removed with the view it was shown in. */
function ActionFailure() {
  const failure = useStore(actionFailure);
  useEffect(() => () => actionFailure.set(undefined), []);
  if (!failure) return null;
  return (
    <div className={classes.failure}>
      <div className="grow">
        <ErrorMessage error={failure.error} during={failure.during} />
      </div>
      <CloseButton name={t('app.close')} onClick={() => actionFailure.set(undefined)} />
    </div>
  );
}
