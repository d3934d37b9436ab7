import { Button, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { sayBehaviour } from '../../say-behaviour.ts';
import { useAttempt } from '../../use-attempt.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { WarningIcon } from '../../components/icons.tsx';
import classes from './misbehaves-mark.module.css';

interface MisbehavesMarkProps {
  state: AppState;
  onOpen: () => void;
}

/** Says on every screen that the built-in server misbehaves on purpose, whichever server is used. */
export function MisbehavesMark({ state: { behaviour, activeServerId }, onOpen }: MisbehavesMarkProps) {
  const { t, i18n } = useTranslation();
  const attempt = useAttempt(activeServerId);
  const alertRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attempt.failure) alertRef.current?.focus();
  }, [attempt.failure]);
  const { isOn } = behaviour;

  async function turnOff() {
    const result = await attempt.run(() => api.builtIn.behave({ dialect: null, wrong: [], faults: [] }));
    // The button goes away with the mark, and the focus must not go with it.
    if (result?.ok) document.querySelector('h1')?.focus();
  }

  return (
    <div className={classes.mark} data-on={isOn}>
      {isOn && <WarningIcon size={20} />}
      {/* The region is there before it says something, so that it is announced. Nothing in it changes with each request. */}
      <output className={classes.says}>
        {isOn && (
          <>
            <Text size="sm" fw={700} component="span">
              {t('builtIn.mark')}
            </Text>{' '}
            <Text size="sm" component="span">
              {sayBehaviour(behaviour, t, i18n.language).join(' ')}
            </Text>
          </>
        )}
      </output>
      {isOn && (
        <>
          <Button size="xs" variant="default" onClick={onOpen}>
            {t('builtIn.details')}
          </Button>
          <Button size="xs" variant="default" aria-busy={attempt.sending} onClick={() => void turnOff()}>
            {t('builtIn.turnOff')}
          </Button>
        </>
      )}
      {attempt.failure && (
        <div className={classes.failure}>
          <ErrorMessage error={attempt.failure.error} during="server" wait={0} ref={alertRef} />
        </div>
      )}
    </div>
  );
}
