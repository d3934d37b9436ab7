import { VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import classes from '../account-form.module.css';
import type { Strength, StrengthRequest } from './strength-worker.ts';
import { t } from '../../../i18n.ts';

interface PasswordStrengthProps {
  password: string;
  known: readonly string[];
}

const steps = [1, 2, 3, 4] as const;
/** Milliseconds without input after which a password is rated. */
const pauseMs = 150;

/**
 * Rates a new password by four bars and in words. It never blocks one. It describes the field, so that changes are
 * announced while the field has the focus. A live region would announce them twice.
 */
export function PasswordStrength({ password, known }: PasswordStrengthProps) {
  const strength = useStrength(password, known.join('\n'));
  return (
    <div className={classes.strength}>
      <div className={classes.bars} data-good={strength !== undefined && strength > 2} aria-hidden>
        {steps.map((step) => (
          <i key={step} data-on={strength !== undefined && Math.max(1, strength) >= step} />
        ))}
      </div>
      <div className={classes.advice}>
        {strength === undefined ? (
          t('strength.none')
        ) : (
          <>
            <VisuallyHidden>{t('strength.label')} </VisuallyHidden>
            {t(`strength.${strength}`)}
          </>
        )}
      </div>
    </div>
  );
}

/** The worker is started for the first input, and terminated with the form: its dictionaries take some 50 MB. */
function useStrength(password: string, known: string): Strength | undefined {
  const [strength, setStrength] = useState<Strength>();
  const worker = useRef<Worker>(undefined);
  useEffect(
    () => () => {
      worker.current?.terminate();
      worker.current = undefined;
    },
    [],
  );
  useEffect(() => {
    if (password === '') return undefined;
    const timer = setTimeout(() => {
      worker.current ??= startWorker(setStrength);
      const request: StrengthRequest = { password, known: known.split('\n') };
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Only a window has an origin.
      worker.current.postMessage(request);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [password, known]);
  // The last rating stays while the user types on, so that nothing flickers.
  return password === '' ? undefined : strength;
}

function startWorker(onStrength: (strength: Strength) => void): Worker {
  const started = new Worker(new URL('./strength-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<Strength>) => onStrength(data));
  return started;
}
