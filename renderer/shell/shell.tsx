import { useLayoutEffect, useState } from 'react';
import { isWorkbenchPage, useRoute } from '../route.ts';
import type { Command } from '../../preload/contract/shortcuts.ts';
import { FloatingOutcome } from '../components/floating-outcome.tsx';
import { Toaster } from '../components/toaster.tsx';
import { lazyComponent } from '../components/lazy-component.tsx';
import { CallsDock, undock, useCallsDock } from '../screens/calls/calls-dock.tsx';
import { ProductionDialog } from './production-dialog.tsx';
import { logInAgain } from '../log-in-again.ts';
import { useStore } from '../store.ts';
import { useCommands } from '../use-shortcuts.ts';
import { useShortcuts } from '../use-shortcuts.ts';
import { Header } from './header.tsx';
import { Rail } from './rail.tsx';
import { type Overlay, runCommand } from './run-command.ts';
import { CurrentPage } from './current-page.tsx';
import classes from './shell.module.css';
import { StatusBar } from './status-bar.tsx';
import { useActions } from './use-actions.ts';
import { useLanguage } from '../i18n.ts';
import { useApp, useActiveServer } from '../api.ts';

const Palette = lazyComponent(() => import('./palette.tsx').then((loaded) => loaded.Palette));
const LogInAgainQuestion = lazyComponent(() =>
  import('../screens/sessions/log-in-again-question.tsx').then((loaded) => loaded.LogInAgainQuestion),
);
const KeysSheet = lazyComponent(() => import('./keys-sheet.tsx').then((loaded) => loaded.KeysSheet));

/** Shows the window: the header and the status bar, which never change their height, the rail, and the room. */
export function Shell() {
  const state = useApp();
  useLanguage(state.language);
  const place = useRoute();
  const { colour, production: isProduction } = useActiveServer();
  useLayoutEffect(() => {
    document.documentElement.dataset['serverColour'] = colour;
  }, [colour]);

  const { workbench } = state.settings;
  const shown = workbench || !isWorkbenchPage(place.room) ? place : ({ room: 'account' } as const);
  const [overlay, setOverlay] = useState<Overlay>();
  const { actions, failed, dismiss } = useActions();
  const run = (command: Command) => runCommand(command, { state, room: shown.room, actions, onOverlay: setOverlay });
  useShortcuts(run);
  useCommands(run);
  const isDocked = useCallsDock(workbench);
  const wanted = useStore(logInAgain);
  // What a room has loaded stays as it was answered, so another view for others begins it again. The settings, where that
  // is chosen, load nothing of accounts.
  const view = `presenting ${state.settings.presenting}`;
  const closeOverlay = () => setOverlay(undefined);

  return (
    <div className={classes.shell} data-workbench={workbench} data-production={isProduction}>
      <Header place={shown} actions={actions} onSearch={() => setOverlay('palette')} />
      {workbench && <Rail room={shown.room} />}
      <main className={classes.main} data-region>
        <CurrentPage key={shown.room === 'settings' ? 'settings' : view} place={shown} />
        {isDocked && <CallsDock key={`calls, ${view}`} onLeave={undock} />}
        <div className={classes.failed}>
          <FloatingOutcome failure={failed} during={failed?.during ?? 'server'} onClose={dismiss} />
        </div>
      </main>
      <Toaster />
      <StatusBar />
      {isProduction && <div className={classes.frame} aria-hidden />}
      {wanted && <LogInAgainQuestion key={`${wanted.serverId} ${wanted.account}`} wanted={wanted} />}
      <ProductionDialog />
      {overlay === 'palette' && <Palette actions={actions} onRun={run} onClose={closeOverlay} />}
      {overlay === 'keys' && <KeysSheet onClose={closeOverlay} />}
    </div>
  );
}
