import { type KeyboardEvent, type PointerEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './calls.module.css';

const least = 140;
/** The height in pixels that stays for the screen above the drawer. */
const leftAbove = 280;
const step = 24;

interface ResizerProps {
  height: number;
  onResize: (height: number) => void;
  /** Takes the height that is to be remembered. */
  onResized: (height: number) => void;
}

/** Moves the upper edge of the drawer with the pointer or with the arrow keys. */
export function Resizer({ height, onResize, onResized }: ResizerProps) {
  const { t } = useTranslation();
  const most = useMostHeight();
  const within = (wanted: number) => Math.round(Math.max(least, Math.min(most, wanted)));
  const shown = within(height);
  /** Where the pointer took hold of the edge. */
  const [held, setHeld] = useState<{ y: number; height: number }>();

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setHeld({ y: event.clientY, height: shown });
  }

  function onPointerUp() {
    if (held) onResized(shown);
    setHeld(undefined);
  }

  function onKeyDown(event: KeyboardEvent) {
    const targets: Record<string, number> = {
      ArrowUp: shown + step,
      ArrowDown: shown - step,
      Home: least,
      End: most,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    onResize(within(target));
    onResized(within(target));
  }

  return (
    // A separator that can be focused is a control (ARIA 1.2), which no tag is and these rules do not know.
    /* oxlint-disable jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role */
    <div
      className={classes.resizer}
      role="separator"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label={t('calls.resize')}
      aria-controls="calls"
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={shown}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => held && onResize(within(held.height + held.y - event.clientY))}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onKeyDown={onKeyDown}
    />
  );
}

/** Returns the greatest height that the window has room for. */
function useMostHeight(): number {
  const [most, setMost] = useState(mostHeight);
  useEffect(() => {
    const onResize = () => setMost(mostHeight());
    window.addEventListener('resize', onResize);
    return () => window.removeEventListener('resize', onResize);
  }, []);
  return most;
}

const mostHeight = () => Math.max(least, window.innerHeight - leftAbove);
