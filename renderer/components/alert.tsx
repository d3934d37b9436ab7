import { type ComponentType, type ReactNode, type Ref, useId, useState } from 'react';
import { ErrorIcon, InfoIcon, WarningIcon } from './icons.tsx';
import classes from './alert.module.css';
import { t } from '../i18n.ts';

export interface AlertAction {
  label: string;
  onPress: () => void;
  isBusy?: boolean | undefined;
}

export interface AlertProps {
  tone: 'info' | 'warning' | 'error';
  /** Overrides the role that follows from the tone, where that would be too loud. */
  announce?: 'alert' | 'status';
  icon?: ComponentType<{ size?: number }>;
  /** All of it in one line. */
  title: ReactNode;
  /** The rest, which is collapsed unless `isOpen` is set. */
  details?: ReactNode;
  isOpen?: boolean;
  action?: AlertAction | undefined;
  /** The result of the action, in one sentence. */
  result?: string | undefined;
  /** The id of the title, for an element that it describes. */
  id?: string | undefined;
  /** The title, which takes the focus. */
  ref?: Ref<HTMLDivElement> | undefined;
}

const icons = { info: InfoIcon, warning: WarningIcon, error: ErrorIcon };

/** A message in one line, with at most one action. Errors and warnings are alerts, information is a status. */
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
  // A title that takes the focus is read then, so it is not announced as well. Orca reads the text of an alert, but
  // only the name of a status.
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
