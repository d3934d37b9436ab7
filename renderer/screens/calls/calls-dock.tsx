import { ActionIcon } from '@mantine/core';
import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../../preload/contract/models.ts';
import classes from '../../app.module.css';
import { WireIcon } from '../../components/icons.tsx';
import { whenOpened } from '../../components/when-opened.tsx';
import { drawerMemory } from './drawer-memory.ts';
import type { Dock } from './use-calls-dock.ts';

const CallsDrawer = whenOpened(
  () => import('./calls-drawer.tsx').then((loaded) => loaded.CallsDrawer),
  ({ initialHeight }) => <div className={classes.drawerPlace} style={{ height: initialHeight }} />,
);

export function CallsButton({ dock, ref }: { dock: Dock; ref: Ref<HTMLButtonElement> }) {
  const { t } = useTranslation();
  return (
    <ActionIcon
      ref={ref}
      variant="default"
      size={36}
      aria-label={t('calls.title')}
      title={t('calls.open')}
      aria-expanded={dock.isOpen}
      aria-keyshortcuts="Control+E Meta+E"
      onClick={dock.toggle}
    >
      <WireIcon />
    </ActionIcon>
  );
}

interface CallsDockProps {
  dock: Dock;
  state: AppState;
  onPinPlace: (serverId: string) => void;
}

/** Shows the drawer in its place below the screens. */
export function CallsDock({ dock, state, onPinPlace }: CallsDockProps) {
  if (!dock.isOpen) return null;
  return (
    <CallsDrawer
      state={state}
      wanted={dock.wanted}
      takesFocus={dock.open === 'by the person'}
      initialHeight={drawerMemory.read().height}
      onHeightChange={(height) => drawerMemory.write({ height })}
      onPinPlace={onPinPlace}
      onClose={dock.close}
    />
  );
}
