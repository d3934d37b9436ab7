import { useLayoutEffect, useState } from 'react';
import type { AppState } from '../../preload/contract/models.ts';
import { isWorkbenchRoom, usePlace } from '../place.ts';
import type { Command } from '../../preload/contract/shortcuts.ts';
import { FloatingOutcome } from '../components/floating-outcome.tsx';
import { whenOpened } from '../components/when-opened.tsx';
import { CallsDock, undock, useCallsDock } from '../screens/calls/calls-dock.tsx';
import { ProductionDialog } from '../screens/servers/production-dialog.tsx';
import { logInAgain } from '../log-in-again.ts';
import { useStore } from '../store.ts';
import { useCommands } from '../use-shortcuts.ts';
import { useShortcuts } from '../use-shortcuts.ts';
import { Header } from './header.tsx';
import { Rail } from './rail.tsx';
import { type Overlay, runCommand } from './run-command.ts';
import { ShownRoom } from './shown-room.tsx';
import classes from './shell.module.css';
import { StatusBar } from './status-bar.tsx';
import { useActions } from './use-actions.ts';
import { useLanguage } from '../i18n.ts';

const Palette = whenOpened(() => import('./palette.tsx').then((loaded) => loaded.Palette));
const LogInAgainQuestion = whenOpened(() =>
  import('../screens/sessions/log-in-again-question.tsx').then((loaded) => loaded.LogInAgainQuestion),
);
const KeysSheet = whenOpened(() => import('./keys-sheet.tsx').then((loaded) => loaded.KeysSheet));

/** Shows the window: the header and the status bar, which never change their height, the rail, and the room. */
export function Shell({ state }: { state: AppState }) {
  useLanguage(state.language);
  const place = usePlace();
  const active = state.servers.find(({ id }) => id === state.activeServerId);
  const colour = active?.colour ?? 'gray';
  const isProduction = active?.production === true;
  useLayoutEffect(() => {
    document.documentElement.dataset['serverColour'] = colour;
  }, [colour]);

  const { workbench } = state.settings;
  const shown = workbench || !isWorkbenchRoom(place.room) ? place : ({ room: 'account' } as const);
  const [overlay, setOverlay] = useState<Overlay>();
  const { actions, failed, dismiss } = useActions(state);
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
      <Header state={state} place={shown} actions={actions} onSearch={() => setOverlay('palette')} />
      {workbench && <Rail state={state} room={shown.room} />}
      <main className={classes.main} data-region>
        <ShownRoom key={shown.room === 'settings' ? 'settings' : view} state={state} place={shown} />
        {isDocked && <CallsDock key={`calls, ${view}`} state={state} onLeave={undock} />}
        <div className={classes.failed}>
          <FloatingOutcome failure={failed} during={failed?.during ?? 'server'} onClose={dismiss} />
        </div>
      </main>
      <StatusBar state={state} />
      {isProduction && <div className={classes.frame} aria-hidden />}
      {wanted && <LogInAgainQuestion key={`${wanted.serverId} ${wanted.account}`} state={state} wanted={wanted} />}
      <ProductionDialog state={state} />
      {overlay === 'palette' && <Palette state={state} actions={actions} onRun={run} onClose={closeOverlay} />}
      {overlay === 'keys' && <KeysSheet onClose={closeOverlay} />}
    </div>
  );
}
