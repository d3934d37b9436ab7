import type { ReactNode, Ref } from 'react';
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
  /** The element that takes the focus and is announced. */
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
  return (
    <div className={`${classes.message} ${classes[tone]}`}>
      {tone === 'info' ? <InfoIcon size={20} /> : <WarningIcon size={20} />}
      <div className={row ? classes.row : classes.text}>
        <div ref={ref} tabIndex={-1} role={announce} className={classes.text}>
          {children}
        </div>
        {aside}
      </div>
    </div>
  );
}
