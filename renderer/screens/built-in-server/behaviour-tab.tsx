import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../../preload/contract/models.ts';
import type { BehaviourChange, Fault, WrongName } from '../../../preload/contract/built-in-server.ts';
import { api } from '../../api.ts';
import { sayBehaviour, sayFault } from '../../say-behaviour.ts';
import { useAttempt } from '../../use-attempt.ts';
import { DataTable, Fixed } from './data-table.tsx';
import { FaultForm } from './fault-form.tsx';
import { mostSeed, readNumber } from './numbers.ts';
import { Outcome } from './outcome.tsx';
import classes from './built-in-server.module.css';
import { createMoments } from './say-moment.ts';
import { useLoaded } from './use-loaded.ts';

/** How the embedded service answers from the next request on. What is chosen counts at once. */
export function BehaviourTab({ state: { behaviour, activeServerId } }: { state: AppState }) {
  const { t, i18n } = useTranslation();
  const moments = useMemo(() => createMoments(i18n.language), [i18n.language]);
  const { value: choices, error } = useLoaded(api.builtIn.choices);
  const attempt = useAttempt(activeServerId);
  const [said, setSaid] = useState<string>();
  const faultsRef = useRef<HTMLHeadingElement>(null);
  const { isOn, dialect, wrong, faults, left } = behaviour;

  async function behave(change: BehaviourChange, say?: string): Promise<boolean> {
    const result = await attempt.run(() => api.builtIn.behave(change));
    if (result?.ok) setSaid(say);
    return result?.ok ?? false;
  }

  const toggle = (name: WrongName) =>
    void behave({ wrong: wrong.includes(name) ? wrong.filter((each) => each !== name) : [...wrong, name] });

  async function remove(fault: Fault, index: number) {
    const done = await behave(
      { faults: faults.filter((_, each) => each !== index) },
      t('builtIn.removed', { fault: sayFault(fault, t) }),
    );
    // The button goes away with its row: the focus must not go with it.
    if (done) faultsRef.current?.focus();
  }

  const head = (['operation', 'kind', 'often', 'actions'] as const).map((name) => t(`builtIn.${name}`));
  return (
    <Stack gap="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text component="output" size="sm" {...(isOn && { fw: 600 })}>
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
          <fieldset className={classes.fieldset}>
            <legend className={classes.legend}>{t('builtIn.wrongTitle')}</legend>
            <div className={classes.wrongs}>
              {choices.wrongs.map((name) => (
                <Checkbox
                  key={name}
                  label={t(`builtIn.wrongs.${name}.name`)}
                  description={t(`builtIn.wrongs.${name}.help`)}
                  checked={wrong.includes(name)}
                  onChange={() => toggle(name)}
                />
              ))}
            </div>
          </fieldset>
          <Stack gap="xs" component="section" aria-labelledby="builtInServer-faults">
            <Title order={3} size="h6" id="builtInServer-faults" ref={faultsRef} tabIndex={-1}>
              {t('builtIn.faults')}
            </Title>
            <Text size="xs" c="dimmed">
              {t('builtIn.faultsHelp')}
            </Text>
            {faults.length === 0 ? (
              <Text size="sm">{t('builtIn.noFaults')}</Text>
            ) : (
              <DataTable label={t('builtIn.faults')} head={head}>
                {faults.map((fault, index) => (
                  // Two of a kind are told apart by their place alone.
                  // oxlint-disable-next-line react/no-array-index-key
                  <tr key={index}>
                    <td>{t(`builtIn.operations.${fault.operation}`)}</td>
                    <td>
                      {t(`builtIn.kinds.${fault.kind}.name`)}
                      {fault.parameter && ` (${range(fault.parameter)})`}
                    </td>
                    <Fixed>
                      {'count' in fault.amount
                        ? t('builtIn.left', { number: left[index] ?? 0, all: fault.amount.count })
                        : t('builtIn.probability', { percent: moments.percent(fault.amount.probability) })}
                    </Fixed>
                    <td>
                      <Button
                        variant="default"
                        size="compact-xs"
                        aria-label={t('builtIn.remove', { fault: sayFault(fault, t) })}
                        onClick={() => void remove(fault, index)}
                      >
                        {t('builtIn.removeShort')}
                      </Button>
                    </td>
                  </tr>
                ))}
              </DataTable>
            )}
            <FaultForm
              choices={choices}
              sending={attempt.sending}
              onAdd={(fault) =>
                void behave({ faults: [...faults, fault] }, t('builtIn.added', { fault: sayFault(fault, t) }))
              }
            />
          </Stack>
          <SeedForm seed={behaviour.seed} onApply={(seed) => void behave({ seed }, t('builtIn.applied'))} />
        </>
      )}
    </Stack>
  );
}

const range = ({ least, most }: { least: number; most: number }): string =>
  least === most ? String(least) : `${least}–${most}`;

/** A seed is not for the screens to make up: it is applied when it is whole. */
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
