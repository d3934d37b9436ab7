import { VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../account-form.module.css';
import type { Strength } from './judge-password.ts';

interface PasswordStrengthProps {
  password: string;
  /** What else was typed: whoever guesses would try it first. */
  known: readonly string[];
}

const steps = [1, 2, 3, 4] as const;
/** The person is typing until no key was pressed for so long. */
const pauseMs = 150;

/**
 * Advises on a new password, by four bars and in words. It never keeps anybody from using one. It describes the field, so
 * that its changes are read out while the field has the focus, and it is no live region, which would say them again.
 */
export function PasswordStrength({ password, known }: PasswordStrengthProps) {
  const { t } = useTranslation();
  const strength = useStrength(password, known.join('\n'));
  return (
    <div className={classes.strength}>
      <div className={classes.bars} data-good={strength !== undefined && strength > 2} aria-hidden>
        {steps.map((step) => (
          <i key={step} data-on={strength !== undefined && Math.max(1, strength) >= step} />
        ))}
      </div>
      <div className={classes.advice}>
        {strength !== undefined && (
          <>
            <VisuallyHidden>{t('strength.label')} </VisuallyHidden>
            {t(`strength.${strength}`)}
          </>
        )}
      </div>
    </div>
  );
}

/** Judges a password once nobody types. What judges it is loaded when the first one is typed, words and all. */
function useStrength(password: string, known: string): Strength | undefined {
  const [judged, setJudged] = useState<{ password: string; strength: Strength }>();
  useEffect(() => {
    if (password === '') return undefined;
    let isStale = false;
    const timer = setTimeout(() => {
      void import('./judge-password.ts').then(({ judgePassword }) => {
        if (!isStale) setJudged({ password, strength: judgePassword(password, known.split('\n')) });
      });
    }, pauseMs);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [password, known]);
  // The last advice stays while somebody types on, since nothing should flicker.
  return password === '' ? undefined : judged?.strength;
}
