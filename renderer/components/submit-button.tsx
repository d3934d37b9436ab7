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

/** Milliseconds until the pending request is shown, so that nothing flickers with a fast server. */
const lateMs = 200;

interface SubmitButtonProps {
  label: string;
  /** The label while and after the server asked to wait. */
  waitingLabel: string;
  sending: boolean;
  wait?: RetryAfter | undefined;
  /** The result of the last attempt. */
  children?: ReactNode;
}

/**
 * The submit button of a form, with the pending request or its result below. It keeps the focus during the request, so
 * it is never `disabled`.
 */
export function SubmitButton({ label, waitingLabel, sending, wait, children }: SubmitButtonProps) {
  const [wasSending] = useDebouncedValue(sending, lateMs);
  const { asking, session } = useApp();
  const isAskedHere = useStore(productionQuestion) !== undefined;
  const isLate = sending && wasSending;
  // A dialog of the system or the window is open: nothing was sent yet.
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
          // The message of a wait has the focus, and is removed at its end.
          data-home={wait && true}
        >
          {/* The spinner is positioned absolutely, so that the label stays where it is. */}
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

/** A label with the seconds that are left. Their width is fixed, and they are not announced each second. */
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

/** Announces the beginning and the end of a wait. */
export const RetryAnnouncement = ({ total, left }: RetryAfter) => (
  <VisuallyHidden component="output">
    {left > 0 ? t('wait.left', { time: formatDuration(total) }) : t('wait.over')}
  </VisuallyHidden>
);
