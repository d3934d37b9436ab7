import { Button, Loader, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { api, useApp } from '../api.ts';
import { productionQuestion } from '../production-question.ts';
import { formatCountdown, formatDuration } from '../format.ts';
import { useStore } from '../store.ts';
import type { RetryAfter } from '../use-retry-after.ts';
import classes from './actions.module.css';
import { ClockIcon, QuestionIcon } from './icons.tsx';
import { Alert, NoticeSlot } from './alert.tsx';
import { t } from '../i18n.ts';

/** Milliseconds after which it is said that the server is waited for. With a quick one, that would come and go at once. */
const lateMs = 200;

interface ActionsProps {
  label: string;
  /** What the button does once a wait is over. */
  again: string;
  sending: boolean;
  /** It is undefined where the server asked for no wait. */
  wait?: RetryAfter | undefined;
  /** The one thing to say under the button. */
  notice?: ReactNode;
}

/**
 * Shows the one submit button of a form, and under it one thing: what is waited for, or what there is to say. The button
 * keeps the focus while the server is asked, so it is never `disabled`.
 */
export function Actions({ label, again, sending, wait, notice }: ActionsProps) {
  const [wasSending] = useDebouncedValue(sending, lateMs);
  const isLate = sending && wasSending;
  // The system asks, or a dialog of the window does: nothing was sent yet.
  const isAskedHere = useStore(productionQuestion) !== undefined;
  const state = useApp();
  const isAsked = isLate && (state.asking || isAskedHere);
  const isAccepted = state.session.step === 'signed-out' && state.session.accepted === true;
  const isWaiting = wait !== undefined && wait.left > 0;
  return (
    <>
      <Button
        data-home
        type="submit"
        fullWidth
        h={40}
        fz="md"
        variant={isWaiting || isAsked ? 'default' : 'filled'}
        aria-busy={sending}
        aria-disabled={sending || isWaiting}
      >
        {/* The spinner takes no place in the line, so that the label stays where it is. */}
        {isLate && !isAsked && <Loader size="xs" color="currentColor" pos="absolute" left={16} aria-hidden />}
        {isAsked ? t('app.asking') : isWaiting ? <Counted again={again} left={wait.left} /> : label}
      </Button>
      {wait && <WaitSaid {...wait} />}
      <NoticeSlot>
        <div className={classes.waiting}>
          <div className={classes.line}>
            <div aria-live="polite" className={classes.says}>
              {isLate && !isAsked && t(isAccepted ? 'app.accepted' : 'app.waiting')}
            </div>
            {isLate && !isAsked && (
              <Button variant="default" size="compact-xs" flex="none" onClick={() => void api.session.cancel()}>
                {t('app.cancel')}
              </Button>
            )}
          </div>
        </div>
        {isAsked ? <OpenQuestion /> : !sending && notice}
      </NoticeSlot>
    </>
  );
}

/** Says what the button does again, and in how many seconds. These have one width, and are not read out each second. */
export function Counted({ again, left }: { again: string; left: number }) {
  return (
    <span className={classes.counted}>
      <ClockIcon size={16} />
      {again}
      <span aria-hidden className={classes.seconds}>
        {t('wait.in', { time: formatCountdown(left) })}
      </span>
    </span>
  );
}

/** Reads a wait out at both of its ends. */
export function WaitSaid({ total, left }: RetryAfter) {
  return (
    <VisuallyHidden component="output">
      {left > 0 ? t('wait.left', { time: formatDuration(total) }) : t('wait.over')}
    </VisuallyHidden>
  );
}

/** The question stands in a dialog of its own, which may be behind the window. */
function OpenQuestion() {
  return (
    <Alert
      tone="info"
      icon={QuestionIcon}
      title={t('notice.question')}
      details={<p>{t('notice.questionWhy')}</p>}
      action={{ label: t('notice.questionShow'), onPress: () => void api.app.showQuestion() }}
    />
  );
}
