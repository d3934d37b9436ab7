import { useLayoutEffect } from 'react';
import type { AppState } from '../../preload/contract/models.ts';
import { api } from '../api.ts';
import { go, isWorkbenchRoom, usePlace } from '../place.ts';
import { ProductionDialog } from '../screens/servers/production-dialog.tsx';
import { useLanguage } from '../use-language.ts';
import { useShortcuts } from '../use-shortcuts.ts';
import { Header } from './header.tsx';
import { openPalette } from './open-palette.ts';
import { Rail } from './rail.tsx';
import { ShownRoom } from './shown-room.tsx';
import classes from './shell.module.css';
import { StatusBar } from './status-bar.tsx';
import { toggleWorkbench } from './toggle-workbench.ts';

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
  useShortcuts({
    e: () => go({ room: 'calls' }),
    t: () => go({ room: 'contract' }),
    b: () => go({ room: 'built-in' }),
    j: () => toggleWorkbench(state, place.room),
    ',': () => go({ room: 'settings' }),
    ...Object.fromEntries(
      state.servers.slice(0, 9).map(({ id }, index) => [index + 1, () => void api.servers.choose({ id })]),
    ),
  });

  return (
    <div className={classes.shell} data-workbench={workbench}>
      <Header state={state} place={shown} />
      {workbench && <Rail state={state} room={shown.room} />}
      <main className={classes.main}>
        <ShownRoom state={state} place={shown} />
      </main>
      <StatusBar state={state} onSearch={openPalette} />
      <div className={classes.frame} data-colour={colour} data-production={isProduction} aria-hidden />
      <ProductionDialog state={state} />
    </div>
  );
}
