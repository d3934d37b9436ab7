import { type ComponentType, type ReactNode, type Ref, useId, useState } from 'react';
import { ErrorIcon, InfoIcon, WarningIcon } from './icons.tsx';
import classes from './notice.module.css';
import { t } from '../i18n.ts';

/** The one thing that can be done about it. */
export interface NoticeAction {
  label: string;
  onPress: () => void;
  isBusy?: boolean | undefined;
}

export interface NoticeProps {
  tone: 'info' | 'warning' | 'error';
  icon?: ComponentType<{ size?: number }>;
  /** All of it in one line. */
  line: ReactNode;
  /** The rest, which opens downward. */
  why?: ReactNode;
  /** Whether the rest is open at first. */
  isOpen?: boolean;
  action?: NoticeAction | undefined;
  /** What has come of the action, in a sentence. */
  news?: string | undefined;
  /** The id of the line, where something is described by it. */
  id?: string | undefined;
  /** The element of the line, which takes the focus. */
  ref?: Ref<HTMLDivElement> | undefined;
}

const icons = { info: InfoIcon, warning: WarningIcon, error: ErrorIcon };

/** Holds what comes of a press, under its button. */
export const NoticeSlot = ({ children }: { children: ReactNode }) => <div className={classes.slot}>{children}</div>;

/** Says one thing in one line, with one action at most. What is wrong is an alert, everything else a status. */
export function Notice({
  tone,
  icon,
  line,
  why,
  isOpen: wasOpen = false,
  action,
  news = '',
  id: given,
  ref,
}: NoticeProps) {
  const own = useId();
  const id = given ?? own;
  const [isOpen, setOpen] = useState(wasOpen);
  const Icon = icon ?? icons[tone];
  const role = tone === 'info' ? 'status' : 'alert';
  // What takes the focus is read then, and is not announced as well. Orca reads the text of an alert, but only the name
  // of a status.
  const read = ref ? ({ 'aria-live': 'off' } as const) : {};
  const named = role === 'status' ? { 'aria-labelledby': id } : {};
  return (
    <div className={`${classes.notice} ${classes[tone]}`} data-message>
      <Icon size={16} />
      <div className={classes.says}>
        <div ref={ref} id={id} tabIndex={-1} role={role} {...named} {...read} className={classes.line}>
          {line}
        </div>
        {why && (
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
      {why && (
        <div id={`${id}why`} className={classes.more} hidden={!isOpen}>
          {why}
        </div>
      )}
      {(action !== undefined || news !== '') && <output className={classes.news}>{news}</output>}
    </div>
  );
}
