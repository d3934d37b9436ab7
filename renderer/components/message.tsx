import { type ReactNode, type Ref, useId } from 'react';
import { InfoIcon, WarningIcon } from './icons.tsx';
import classes from './message.module.css';

interface MessageProps {
  tone: 'info' | 'warning' | 'error';
  /** How the text is announced, if the way that belongs to its tone would be too loud. */
  announce?: 'status' | 'alert';
  children: ReactNode;
  /** It stands beside the announced text, so that its changes are not announced each time. */
  aside?: ReactNode;
  /** Puts what is beside the text at its right, where there is room. */
  row?: boolean;
  /** The element, which takes the focus. */
  ref?: Ref<HTMLDivElement> | undefined;
}

/** Shows a message in a box. What is wrong is an alert, everything else a status. */
export function Message({
  tone,
  announce = tone === 'info' ? 'status' : 'alert',
  children,
  aside,
  row,
  ref,
}: MessageProps) {
  const id = useId();
  // What takes the focus is read then, and is not announced as well. Orca reads the text of an alert, but only the name
  // of a status.
  const named = announce === 'status' ? { id, 'aria-labelledby': id } : {};
  const read = ref ? ({ ...named, 'aria-live': 'off' } as const) : {};
  return (
    <div className={`${classes.message} ${classes[tone]}`} data-message>
      {tone === 'info' ? <InfoIcon size={20} /> : <WarningIcon size={20} />}
      <div className={row ? classes.row : classes.text}>
        <div ref={ref} tabIndex={-1} role={announce} {...read} className={classes.text}>
          {children}
        </div>
        {aside}
      </div>
    </div>
  );
}
