import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTexts } from '../../texts.tsx';
import classes from './built-in-server.module.css';
import { mostSeed, readNumber } from './numbers.ts';

/** A seed is typed in several steps, so it is applied only when it is whole. */
export function SeedForm({ seed, onApply }: { seed: number; onApply: (seed: number) => void }) {
  const { t } = useTexts();
  const [typed, setTyped] = useState(String(seed));
  const [wrong, setWrong] = useState(false);
  const inputRef = useRef<HTMLInputElement>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    const number = readNumber(typed, { least: 0, most: mostSeed });
    setWrong(number === undefined);
    if (number === undefined) inputRef.current?.focus();
    else onApply(number);
  }

  return (
    <form onSubmit={submit} noValidate>
      <div className={classes.seed}>
        <TextInput
          ref={inputRef}
          size="xs"
          label={t('builtIn.seed')}
          description={t('builtIn.seedHelp')}
          descriptionProps={{ size: 'md' }}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          classNames={{ root: classes.seedField }}
          inputMode="numeric"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={wrong && t('builtIn.number', { least: 0, most: mostSeed })}
        />
        <Button type="submit" variant="default" size="xs">
          {t('builtIn.apply')}
        </Button>
      </div>
    </form>
  );
}
