import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../../preload/contract/models.ts';
import type { BehaviourChange, WrongName } from '../../../preload/contract/built-in-server.ts';
import { api } from '../../api.ts';
import { sayBehaviour } from '../../say-behaviour.ts';
import { useAttempt } from '../../use-attempt.ts';
import { Faults } from './faults.tsx';
import { mostSeed, readNumber } from './numbers.ts';
import { Outcome } from './outcome.tsx';
import classes from './built-in-server.module.css';
import { useLoaded } from './use-loaded.ts';

/** Chooses how the built-in server answers from the next request on. Each choice counts at once. */
export function BehaviourTab({ state: { behaviour, activeServerId } }: { state: AppState }) {
  const { t, i18n } = useTranslation();
  const { value: choices, error } = useLoaded(api.builtIn.choices);
  const attempt = useAttempt(activeServerId);
  const [said, setSaid] = useState<string>();
  const { isOn, dialect, wrong } = behaviour;

  async function behave(change: BehaviourChange, say?: string): Promise<boolean> {
    const result = await attempt.run(() => api.builtIn.behave(change));
    if (result?.ok) setSaid(say);
    return result?.ok ?? false;
  }

  return (
    <Stack gap="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text component="output" size="sm" fw={isOn ? 600 : undefined}>
          {isOn ? [t('builtIn.mark'), ...sayBehaviour(behaviour, t, i18n.language)].join(' ') : t('builtIn.well')}
        </Text>
        <Button
          variant="default"
          size="xs"
          flex="none"
          aria-disabled={!isOn}
          onClick={() => isOn && void behave({ dialect: null, wrong: [], faults: [] })}
        >
          {t('builtIn.allOff')}
        </Button>
      </Group>
      <Outcome said={choices ? said : t('builtIn.loading')} error={attempt.failure?.error ?? error} />
      {choices && (
        <>
          <NativeSelect
            label={t('builtIn.dialect')}
            description={dialect === null ? t('builtIn.ownDialectHelp') : t(`builtIn.dialects.${dialect}.help`)}
            value={dialect ?? ''}
            data={[
              { value: '', label: t('builtIn.ownDialect') },
              ...choices.dialects.map((name) => ({ value: name, label: t(`builtIn.dialects.${name}.name`) })),
            ]}
            onChange={({ currentTarget: { value } }) =>
              void behave({ dialect: choices.dialects.find((name) => name === value) ?? null })
            }
          />
          <Wrongs all={choices.wrongs} chosen={wrong} onChange={(next) => void behave({ wrong: next })} />
          <Faults behaviour={behaviour} choices={choices} sending={attempt.sending} onChange={behave} />
          <SeedForm seed={behaviour.seed} onApply={(seed) => void behave({ seed }, t('builtIn.applied'))} />
        </>
      )}
    </Stack>
  );
}

interface WrongsProps {
  all: readonly WrongName[];
  chosen: readonly WrongName[];
  onChange: (chosen: WrongName[]) => void;
}

/** Chooses what the server does wrong. Several wrongs may be chosen together. */
function Wrongs({ all, chosen, onChange }: WrongsProps) {
  const { t } = useTranslation();
  const toggle = (name: WrongName) =>
    onChange(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]);
  return (
    <fieldset className={classes.fieldset}>
      <legend className={classes.legend}>{t('builtIn.wrongTitle')}</legend>
      <div className={classes.wrongs}>
        {all.map((name) => (
          <Checkbox
            key={name}
            label={t(`builtIn.wrongs.${name}.name`)}
            description={t(`builtIn.wrongs.${name}.help`)}
            checked={chosen.includes(name)}
            onChange={() => toggle(name)}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** A seed is typed in several steps, so it is applied only when it is whole. */
function SeedForm({ seed, onApply }: { seed: number; onApply: (seed: number) => void }) {
  const { t } = useTranslation();
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
      <Group align="flex-end">
        <TextInput
          ref={inputRef}
          label={t('builtIn.seed')}
          description={t('builtIn.seedHelp')}
          inputMode="numeric"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={wrong && t('builtIn.number', { least: 0, most: mostSeed })}
        />
        <Button type="submit" variant="default">
          {t('builtIn.apply')}
        </Button>
      </Group>
    </form>
  );
}
