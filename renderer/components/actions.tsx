import { Button, Loader } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useSyncExternalStore } from 'react';
import { api, useAppState } from '../api.ts';
import { productionQuestion } from '../production-question.ts';
import { useTexts } from '../texts.tsx';
import classes from './actions.module.css';
import { Countdown } from './error-message.tsx';

/** Milliseconds after which it is said that the server is waited for. With a quick one, that would come and go at once. */
const lateMs = 200;

interface ActionsProps {
  label: string;
  sending: boolean;
  /** Whole seconds left to wait; undefined where the server asked for no wait. The button stays focusable meanwhile. */
  wait?: number | undefined;
}

/**
 * Shows the one submit button of a form, and under it what is waited for. The button keeps the focus while the server is
 * asked, so it is never `disabled`.
 */
export function Actions({ label, sending, wait }: ActionsProps) {
  const { t } = useTexts();
  const [wasSending] = useDebouncedValue(sending, lateMs);
  const isLate = sending && wasSending;
  // The system asks, or a dialog of the window does: nothing was sent yet.
  const isAskedHere = useSyncExternalStore(productionQuestion.subscribe, productionQuestion.current) !== undefined;
  const isAsked = useAppState()?.asking === true || isAskedHere;
  const blocked = sending || (wait ?? 0) > 0;
  return (
    <div>
      <Button type="submit" fullWidth h={40} fz="md" aria-busy={sending} aria-disabled={blocked}>
        {/* The spinner takes no place in the line, so that the label stays where it is. */}
        {isLate && <Loader size="xs" color="currentColor" pos="absolute" left={16} aria-hidden />}
        {label}
      </Button>
      {/* Its place is held while there is nothing to say. */}
      <div className={classes.held}>
        <div aria-live="polite" className={classes.says}>
          {isLate && t(isAsked ? 'app.asking' : 'app.waiting')}
        </div>
        {!sending && wait !== undefined && <Countdown wait={wait} />}
        {isLate && (
          <Button variant="default" size="compact-xs" flex="none" onClick={() => void api.session.cancel()}>
            {t('app.cancel')}
          </Button>
        )}
      </div>
    </div>
  );
}
