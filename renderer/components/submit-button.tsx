import { Button, Loader, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { api, useApp } from '../api.ts';
import { formatCountdown, formatDuration } from '../format.ts';
import { t } from '../i18n.ts';
import { productionQuestion } from '../production-question.ts';
import { useStore } from '../store.ts';
import type { RetryAfter } from '../use-retry-after.ts';
import { Alert } from './alert.tsx';
import { ClockIcon, QuestionIcon } from './icons.tsx';
import classes from './submit-button.module.css';

/** Milliseconds after which the wait for the server is shown. With a quick server, that would come and go at once. */
const lateMs = 200;

interface SubmitButtonProps {
  label: string;
  /** The label while and after the server asked to wait. */
  waitingLabel: string;
  sending: boolean;
  wait?: RetryAfter | undefined;
  /** What came of the last attempt. */
  children?: ReactNode;
}

/**
 * The submit button of a form, and below it what is waited for or what came of it. It keeps the focus while the request
 * runs, so it is never `disabled`.
 */
export function SubmitButton({ label, waitingLabel, sending, wait, children }: SubmitButtonProps) {
  const [wasSending] = useDebouncedValue(sending, lateMs);
  const { asking, session } = useApp();
  const isAskedHere = useStore(productionQuestion) !== undefined;
  const isLate = sending && wasSending;
  // A dialog of the system or of the window is open: nothing was sent yet.
  const isAsked = isLate && (asking || isAskedHere);
  const isRunning = isLate && !isAsked;
  const isAccepted = session.step === 'signed-out' && session.accepted === true;
  const isWaiting = wait !== undefined && wait.left > 0;
  return (
    <div className="grid gap12">
      <div className="here">
        <Button
          type="submit"
          fullWidth
          h={40}
          fz="md"
          variant={isWaiting || isAsked ? 'default' : 'filled'}
          aria-busy={sending}
          aria-disabled={sending || isWaiting}
          // The message of a wait has the focus, and goes away at its end.
          data-home={wait && true}
        >
          {/* The spinner takes no room in the line, so that the label stays where it is. */}
          {isRunning && <Loader size="xs" color="currentColor" pos="absolute" left={16} aria-hidden />}
          {isAsked ? t('app.asking') : isWaiting ? <CountdownLabel label={waitingLabel} left={wait.left} /> : label}
        </Button>
        <div className={classes.waiting}>
          <div aria-live="polite" className="grow">
            {isRunning && t(isAccepted ? 'app.accepted' : 'app.waiting')}
          </div>
          {isRunning && (
            <Button variant="default" size="compact-xs" flex="none" onClick={() => void api.session.cancel()}>
              {t('app.cancel')}
            </Button>
          )}
        </div>
      </div>
      {wait && <RetryAnnouncement {...wait} />}
      {isAsked ? (
        <Alert
          tone="info"
          icon={QuestionIcon}
          title={t('notice.question')}
          details={<p>{t('notice.questionWhy')}</p>}
          action={{ label: t('notice.questionShow'), onPress: () => void api.app.showQuestion() }}
        />
      ) : (
        !sending && children
      )}
    </div>
  );
}

/** A label with the seconds that are left. They have one width, and are not read out each second. */
export function CountdownLabel({ label, left }: { label: string; left: number }) {
  return (
    <span className="row gap8">
      <ClockIcon size={16} />
      {label}
      <span aria-hidden className={classes.seconds}>
        {t('wait.in', { time: formatCountdown(left) })}
      </span>
    </span>
  );
}

/** Reads a wait out at both of its ends. */
export const RetryAnnouncement = ({ total, left }: RetryAfter) => (
  <VisuallyHidden component="output">
    {left > 0 ? t('wait.left', { time: formatDuration(total) }) : t('wait.over')}
  </VisuallyHidden>
);
