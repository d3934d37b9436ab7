import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { GearIcon, KeyRingLogo, SearchIcon, ToolIcon } from '../components/icons.tsx';
import { navigate, type Route } from '../route.ts';
import { keysOf } from '../use-shortcuts.ts';
import { AccountMenu } from './account-menu.tsx';
import classes from './header.module.css';
import { ServerChip } from './server-chip.tsx';
import { toggleWorkbench } from './toggle-workbench.ts';
import type { Actions } from './use-actions.ts';
import { t } from '../i18n.ts';
import { useApp } from '../api.ts';

interface HeaderProps {
  place: Route;
  actions: Actions;
  onSearch: () => void;
}

/** Shows the mark, the server, the Workbench's button, the settings where there is no rail, and who is logged in. */
export function Header({ place, actions, onSearch }: HeaderProps) {
  const state = useApp();
  const { workbench } = state.settings;
  const isProduction = state.servers.some(({ id, production }) => production && id === state.activeServerId);
  return (
    <header className={classes.header} data-production={isProduction} data-workbench={workbench} data-region>
      <button
        type="button"
        className={classes.brand}
        title={t('header.home')}
        onClick={() => navigate({ room: 'account' })}
      >
        <KeyRingLogo />
        <span>{t('app.name')}</span>
      </button>
      {state.settings.welcomed && <ServerChip />}
      <span className="grow" />
      {workbench && (
        <button type="button" className={classes.find} onClick={onSearch}>
          <SearchIcon />
          <span>{t('palette.label')}</span>
          <kbd>{keysOf('palette')}</kbd>
        </button>
      )}
      <button
        type="button"
        className={classes.face}
        aria-pressed={workbench}
        title={t('header.workbenchKey', { keys: keysOf('workbench', '+') })}
        onClick={() => toggleWorkbench(state, place.room, actions)}
      >
        <ToolIcon />
        <span>{t(workbench ? 'header.workbench' : 'header.tools')}</span>
      </button>
      {!workbench && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          aria-label={t('settings.open')}
          title={t('settings.open')}
          onClick={() => navigate({ room: 'settings' })}
        >
          <GearIcon size={20} />
        </ActionIcon>
      )}
      <AccountMenu actions={actions} />
      <FaceSaid workbench={workbench} />
    </header>
  );
}

/** Says that the face has changed to who pressed keys for it. The button tells that itself while it has the focus. */
function FaceSaid({ workbench }: { workbench: boolean }) {
  const before = useRef(workbench);
  const [said, setSaid] = useState<'header.workbenchOn' | 'header.workbenchOff'>();
  useEffect(() => {
    if (before.current === workbench) return;
    before.current = workbench;
    const isButton = document.activeElement?.hasAttribute('aria-pressed') === true;
    setSaid(isButton ? undefined : workbench ? 'header.workbenchOn' : 'header.workbenchOff');
  }, [workbench]);
  return <VisuallyHidden aria-live="polite">{said && t(said)}</VisuallyHidden>;
}
