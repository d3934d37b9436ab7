import { ActionIcon } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import type { During } from '../error-text.ts';
import type { Failure } from '../use-action.ts';
import { ErrorMessage } from './error-message.tsx';
import classes from './floating-outcome.module.css';
import { CloseIcon } from './icons.tsx';
import { t } from '../i18n.ts';

interface FloatingOutcomeProps {
  /** What went well, in a sentence. */
  said?: string | undefined;
  failure?: Failure | undefined;
  during: During;
  onClose: () => void;
}

/** How long a sentence about something that went well stays, unless the pointer rests on it. */
const saidMs = 6000;

/**
 * Says over the end of a room how the last action ended, until it is closed. What went wrong takes the focus and stays;
 * the rest is said in a live region that is there before, and goes away by itself.
 */
export function FloatingOutcome({ said = '', failure, during, onClose }: FloatingOutcomeProps) {
  const [isHeld, setHeld] = useState(false);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (said === '' || isHeld) return undefined;
    const timer = setTimeout(() => close(), saidMs);
    return () => clearTimeout(timer);
  }, [said, isHeld]);
  const isShown = failure !== undefined || said !== '';
  return (
    <div className={classes.place}>
      <div
        className={isShown ? classes.box : undefined}
        data-failed={failure !== undefined}
        onMouseEnter={() => setHeld(true)}
        onMouseLeave={() => setHeld(false)}
      >
        {failure && <ErrorMessage error={failure.error} during={during} />}
        <output className={said === '' ? undefined : classes.said}>{said}</output>
        {isShown && (
          <ActionIcon variant="subtle" color="gray" size={24} aria-label={t('app.close')} onClick={onClose}>
            <CloseIcon />
          </ActionIcon>
        )}
      </div>
    </div>
  );
}
