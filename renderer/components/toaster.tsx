import { useEffect, useState } from 'react';
import { t } from '../i18n.ts';
import { useStore } from '../store.ts';
import { type Toast, toast } from '../toasts.ts';
import { CloseButton } from './close-button.tsx';
import { DoneIcon } from './icons.tsx';
import classes from './toaster.module.css';

/** Milliseconds until a toast is closed, unless the pointer or the focus is on it. */
const shownMs = 6000;

const close = (): void => toast.set(undefined);

/**
 * Shows the last success over the end of the page. Its live region is mounted before, so that it is announced. A toast
 * may name an account, so it is removed with the view it was shown in.
 */
export function Toaster() {
  const shown = useStore(toast);
  /** The toast under the pointer or focus. Compared with the shown one, since a removed button may fire no event. */
  const [held, setHeld] = useState<Toast>();
  const isHeld = held !== undefined && held === shown;
  useEffect(() => {
    if (!shown || isHeld) return undefined;
    const timer = setTimeout(close, shownMs);
    return () => clearTimeout(timer);
  }, [shown, isHeld]);
  useEffect(() => close, []);
  return (
    <div
      className={classes.toaster}
      onMouseMove={() => setHeld(shown)}
      onMouseLeave={() => setHeld(undefined)}
      onFocus={() => setHeld(shown)}
      onBlur={() => setHeld(undefined)}
    >
      <div className={shown && classes.toast}>
        {shown && <DoneIcon size={16} />}
        <output className={classes.text}>{shown?.text()}</output>
        {shown?.undo && (
          <button
            type="button"
            className={classes.undo}
            onClick={() => {
              shown.undo?.();
              close();
            }}
          >
            {t('app.undo')}
          </button>
        )}
        {shown && <CloseButton name={t('app.close')} onClick={close} />}
      </div>
    </div>
  );
}
