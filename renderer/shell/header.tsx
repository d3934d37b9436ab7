import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { GearIcon, KeyRingLogo, SearchIcon, ToolIcon } from '../components/icons.tsx';
import { navigate } from '../route.ts';
import { keysOf } from '../use-shortcuts.ts';
import { AccountMenu } from './account-menu.tsx';
import { actions, overlay } from './commands.ts';
import classes from './header.module.css';
import { ServerMenu } from './server-menu.tsx';
import { t } from '../i18n.ts';
import { useActiveServer, useApp } from '../api.ts';

/** The logo, the active server, the developer tools button, the settings where there is no rail, and the account. */
export function Header() {
  const { workbench, welcomed } = useApp().settings;
  const { production: isProduction } = useActiveServer();
  return (
    <header className={classes.header} data-production={isProduction} data-workbench={workbench} data-region>
      <button
        type="button"
        className={classes.brand}
        title={t('header.home')}
        onClick={() => navigate({ page: 'account' })}
      >
        <KeyRingLogo />
        <span>{t('app.name')}</span>
      </button>
      {welcomed && <ServerMenu />}
      <div className={classes.actions}>
        {workbench && (
          <button type="button" className={classes.find} onClick={() => overlay.set('palette')}>
            <SearchIcon />
            <span>{t('palette.label')}</span>
            <kbd>{keysOf('palette')}</kbd>
          </button>
        )}
        <button
          type="button"
          className={classes.tools}
          aria-pressed={workbench}
          title={t('header.workbenchKey', { keys: keysOf('workbench', '+') })}
          onClick={actions.toggleWorkbench}
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
            onClick={() => navigate({ page: 'settings' })}
          >
            <GearIcon size={20} />
          </ActionIcon>
        )}
        <AccountMenu />
      </div>
      <ModeAnnouncement workbench={workbench} />
    </header>
  );
}

/** Announces a change of the mode. The button does so itself while it has the focus. */
function ModeAnnouncement({ workbench }: { workbench: boolean }) {
  const before = useRef(workbench);
  const [text, setText] = useState<'header.workbenchOn' | 'header.workbenchOff'>();
  useEffect(() => {
    if (before.current === workbench) return;
    before.current = workbench;
    const isButton = document.activeElement?.hasAttribute('aria-pressed') === true;
    setText(isButton ? undefined : workbench ? 'header.workbenchOn' : 'header.workbenchOff');
  }, [workbench]);
  return <VisuallyHidden aria-live="polite">{text && t(text)}</VisuallyHidden>;
}
