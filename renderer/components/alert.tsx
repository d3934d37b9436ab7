import { type ComponentType, type ReactNode, type Ref, useId, useState } from 'react';
import { ErrorIcon, InfoIcon, WarningIcon } from './icons.tsx';
import classes from './alert.module.css';
import { t } from '../i18n.ts';

/** The one thing that can be done about it. */
export interface AlertAction {
  label: string;
  onPress: () => void;
  isBusy?: boolean | undefined;
}

export interface AlertProps {
  tone: 'info' | 'warning' | 'error';
  /** How it is announced, where the way of its tone would be too loud. */
  announce?: 'alert' | 'status';
  icon?: ComponentType<{ size?: number }>;
  /** All of it in one line. */
  title: ReactNode;
  /** The rest, which opens downward. */
  details?: ReactNode;
  /** Whether the rest is open at first. */
  isOpen?: boolean;
  action?: AlertAction | undefined;
  /** What has come of the action, in a sentence. */
  result?: string | undefined;
  /** The id of the line, where something is described by it. */
  id?: string | undefined;
  /** The element of the line, which takes the focus. */
  ref?: Ref<HTMLDivElement> | undefined;
}

const icons = { info: InfoIcon, warning: WarningIcon, error: ErrorIcon };

/** Says one thing in one line, with one action at most. What is wrong is an alert, everything else a status. */
export function Alert({
  tone,
  announce: role = tone === 'info' ? 'status' : 'alert',
  icon,
  title,
  details,
  isOpen: wasOpen = false,
  action,
  result = '',
  id: given,
  ref,
}: AlertProps) {
  const own = useId();
  const id = given ?? own;
  const [isOpen, setOpen] = useState(wasOpen);
  const Icon = icon ?? icons[tone];
  // What takes the focus is read then, and is not announced as well. Orca reads the text of an alert, but only the name
  // of a status.
  const read = ref ? ({ 'aria-live': 'off' } as const) : {};
  const named = role === 'status' ? { 'aria-labelledby': id } : {};
  return (
    <div className={`${classes.notice} ${classes[tone]}`} data-message>
      <Icon size={16} />
      <div className={classes.message}>
        <div ref={ref} id={id} tabIndex={-1} role={role} {...named} {...read} className={classes.line}>
          {title}
        </div>
        {details && (
          <button
            type="button"
            className={classes.why}
            aria-expanded={isOpen}
            aria-controls={`${id}why`}
            onClick={() => setOpen(!isOpen)}
          >
            {t('notice.why')}
          </button>
        )}
      </div>
      {action && (
        <button type="button" className={classes.do} aria-busy={action.isBusy} onClick={action.onPress}>
          {action.label}
        </button>
      )}
      {details && (
        <div id={`${id}why`} className={classes.more} hidden={!isOpen}>
          {details}
        </div>
      )}
      {(action !== undefined || result !== '') && <output className={classes.news}>{result}</output>}
    </div>
  );
}
