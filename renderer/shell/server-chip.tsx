import { Combobox, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useId, useState } from 'react';
import type { AppState, Server } from '../../preload/contract/models.ts';
import { DoubleLabel, ProductionLabel } from '../components/chip.tsx';
import { ChevronIcon } from '../components/icons.tsx';
import { ServerDot } from '../components/server-dot.tsx';
import { hostOf, serverName } from '../server-name.ts';
import { saySpan } from '../screens/account/profile/say-moment.ts';
import { useTexts } from '../texts.tsx';
import { useAttempt } from '../use-attempt.ts';
import { useNow } from '../use-now.ts';
import classes from './server-chip.module.css';
import { ServerMenu } from './server-menu.tsx';
import { useServerMenu } from './use-server-menu.ts';

/** Names the server in use, and opens the menu of servers, in which a new address can be typed too. */
export function ServerChip({ state }: { state: AppState }) {
  const { t } = useTexts();
  const id = useId();
  /** Whether an arrow key opened it, which then begins from the server in use. */
  const [byArrow, setByArrow] = useState(false);
  const attempt = useAttempt(state.activeServerId);
  const menu = useServerMenu({ state, attempt, byArrow });
  const { combobox } = menu;
  const active = state.servers.find(({ id }) => id === state.activeServerId);
  if (!active) return null;

  function onKeyDown(event: KeyboardEvent) {
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
    setByArrow(isArrow);
    if (!isArrow) return;
    event.preventDefault();
    combobox.openDropdown();
  }

  return (
    <Combobox store={combobox} width={320} position="bottom-start" onOptionSubmit={menu.submitOption}>
      <Combobox.Target withKeyboardNavigation={false} withAriaAttributes={false}>
        <button
          type="button"
          className={classes.chip}
          data-colour={active.colour}
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
          aria-controls={combobox.dropdownOpened ? `${id}-dropdown` : undefined}
          aria-busy={attempt.sending}
          onClick={() => combobox.toggleDropdown()}
          onKeyDown={onKeyDown}
          onPointerDown={() => setByArrow(false)}
        >
          <VisuallyHidden>{t('server.label')}:</VisuallyHidden>
          <Named key={active.id} state={state} server={active} />
        </button>
      </Combobox.Target>
      <ServerMenu id={id} {...{ state, menu, attempt }} />
    </Combobox>
  );
}

/** Shows what belongs to the server in use. Its widths are its own, so nothing of it is kept for another server. */
function Named({ state, server }: { state: AppState; server: Server }) {
  const { t } = useTexts();
  const reachable = useReachable(state, server);
  const name = serverName(server, t);
  const host = hostOf(state, server, t);
  return (
    <>
      <ServerDot size={10} />
      <bdi className={classes.name} title={name}>
        {name}
      </bdi>
      {server.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
      {server.double && <DoubleLabel>{t('doubles.mark')}</DoubleLabel>}
      {/* A name that begins with the host stands alone, as in the form. */}
      {!name.startsWith(host.replace(/\/.*$/, '')) && (
        <span className={classes.host} data-built-in={server.builtIn || server.double !== undefined} title={host}>
          {host}
        </span>
      )}
      <span className={classes.state} data-state={reachable.state} title={reachable.text} aria-hidden />
      <VisuallyHidden>{reachable.text}</VisuallyHidden>
      <ChevronIcon size={14} />
    </>
  );
}

/** Says whether the server answered the last call, whoever made it, and how long ago; of one that runs here, whether it runs. */
function useReachable({ builtIn }: AppState, { builtIn: isBuiltIn, double, lastCall }: Server) {
  const { t, i18n } = useTexts();
  const at = lastCall && Date.parse(lastCall.at);
  const now = useNow(at);
  if (lastCall && at !== undefined) {
    const state = lastCall.answered ? ('yes' as const) : ('no' as const);
    // A call of this second was not made "in 0 seconds".
    const ago = saySpan(new Date(Math.min(at, now - 1000)), i18n.language, now);
    return { state, text: t(`server.lastCall.${state}`, { ago }) };
  }
  const run = double ? double.run.state : isBuiltIn ? builtIn.state : undefined;
  const state = run === 'running' ? ('yes' as const) : run === 'failed' ? ('no' as const) : ('unknown' as const);
  return { state, text: t(`server.reachable.${state}`) };
}
