import { ActionIcon } from '@mantine/core';
import { lazy, type Ref, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallSummary } from '../../preload/contract/calls.ts';
import type { AppState } from '../../preload/contract/models.ts';
import classes from '../app.module.css';
import { drawerMemory } from '../drawer-memory.ts';
import { WireIcon } from './icons.tsx';

/** Not needed for the first frame, nor by who never opens it. */
const CallsDrawer = lazy(() =>
  import('../screens/calls/calls-drawer.tsx').then(({ CallsDrawer }) => ({ default: CallsDrawer })),
);

type Open = 'no' | 'by the person' | 'since the last time';

/** Whether the drawer of calls is open, which the next start remembers; Ctrl or Cmd with E opens and closes it. */
export function useCallsDock() {
  const [open, setOpen] = useState<Open>('no');
  const [isKnown, setIsKnown] = useState(false);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const cameFrom = useRef<Element>(null);
  const [wanted, setWanted] = useState<CallSummary>();

  useEffect(() => {
    // After the first frame, which must not wait for it, nor for the storage, which is read from the disk meanwhile.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => {
        if (drawerMemory.read().open) setOpen((now) => (now === 'no' ? 'since the last time' : now));
        setIsKnown(true);
      });
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);

  const close = useCallback(() => {
    const before = cameFrom.current;
    if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus();
    else buttonRef.current?.focus();
    drawerMemory.write({ open: false });
    setWanted(undefined);
    setOpen('no');
  }, []);

  const isOpen = open !== 'no';
  const toggle = useCallback(() => {
    if (isOpen) {
      close();
      return;
    }
    cameFrom.current = document.activeElement;
    drawerMemory.write({ open: true });
    setOpen('by the person');
  }, [isOpen, close]);

  /** Opens it with this call. */
  const show = useCallback((call: CallSummary) => {
    drawerMemory.write({ open: true });
    setWanted(call);
    setOpen('by the person');
  }, []);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isShortcut || event.key.toLowerCase() !== 'e' || event.repeat) return;
      if (document.querySelector('[role=dialog]')) return;
      event.preventDefault();
      toggle();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [toggle]);

  /** `isKnown` once the last time has been asked about: until then its place may still be taken. */
  return { dock: { open, isOpen, isKnown, wanted, toggle, show, close }, buttonRef };
}

type Dock = ReturnType<typeof useCallsDock>['dock'];

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

/** The place below the screens where the drawer is. */
export function CallsDock({ dock, state, onPinPlace }: CallsDockProps) {
  if (!dock.isOpen) return null;
  const { height } = drawerMemory.read();
  return (
    <Suspense fallback={<div className={classes.drawerPlace} style={{ height }} />}>
      <CallsDrawer
        state={state}
        wanted={dock.wanted}
        takesFocus={dock.open === 'by the person'}
        initialHeight={height}
        onHeightChange={(height) => drawerMemory.write({ height })}
        onPinPlace={onPinPlace}
        onClose={dock.close}
      />
    </Suspense>
  );
}
