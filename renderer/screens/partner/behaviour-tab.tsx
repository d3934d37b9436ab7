import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../../preload/contract/models.ts';
import type { BehaviourChange, Fault, WrongName } from '../../../preload/contract/service.ts';
import { api } from '../../api.ts';
import { sayBehaviour, sayFault } from '../../say-behaviour.ts';
import { useAttempt } from '../../use-attempt.ts';
import { DataTable, Fixed } from './data-table.tsx';
import { FaultForm } from './fault-form.tsx';
import { mostSeed, readNumber } from './numbers.ts';
import { Outcome } from './outcome.tsx';
import classes from './partner.module.css';
import { createMoments } from './say-moment.ts';
import { useLoaded } from './use-loaded.ts';

/** How the embedded service answers from the next request on. What is chosen counts at once. */
export function BehaviourTab({ state: { behaviour, activeEnvironmentId } }: { state: AppState }) {
  const { t, i18n } = useTranslation();
  const moments = useMemo(() => createMoments(i18n.language), [i18n.language]);
  const { value: choices, error } = useLoaded(api.service.choices);
  const attempt = useAttempt(activeEnvironmentId);
  const [said, setSaid] = useState<string>();
  const faultsRef = useRef<HTMLHeadingElement>(null);
  const { isOn, dialect, wrong, faults, left } = behaviour;

  async function behave(change: BehaviourChange, say?: string): Promise<boolean> {
    const result = await attempt.run(() => api.service.behave(change));
    if (result?.ok) setSaid(say);
    return result?.ok ?? false;
  }

  const toggle = (name: WrongName) =>
    void behave({ wrong: wrong.includes(name) ? wrong.filter((each) => each !== name) : [...wrong, name] });

  async function remove(fault: Fault, index: number) {
    const done = await behave(
      { faults: faults.filter((_, each) => each !== index) },
      t('partner.removed', { fault: sayFault(fault, t) }),
    );
    // The button goes away with its row: the focus must not go with it.
    if (done) faultsRef.current?.focus();
  }

  const head = (['operation', 'kind', 'often', 'actions'] as const).map((name) => t(`partner.${name}`));
  return (
    <Stack gap="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text component="output" size="sm" {...(isOn && { fw: 600 })}>
          {isOn ? [t('partner.mark'), ...sayBehaviour(behaviour, t, i18n.language)].join(' ') : t('partner.well')}
        </Text>
        <Button
          variant="default"
          size="xs"
          flex="none"
          aria-disabled={!isOn}
          onClick={() => isOn && void behave({ dialect: null, wrong: [], faults: [] })}
        >
          {t('partner.allOff')}
        </Button>
      </Group>
      <Outcome said={choices ? said : t('partner.loading')} error={attempt.failure?.error ?? error} />
      {choices && (
        <>
          <NativeSelect
            label={t('partner.dialect')}
            description={dialect === null ? t('partner.ownDialectHelp') : t(`partner.dialects.${dialect}.help`)}
            value={dialect ?? ''}
            data={[
              { value: '', label: t('partner.ownDialect') },
              ...choices.dialects.map((name) => ({ value: name, label: t(`partner.dialects.${name}.name`) })),
            ]}
            onChange={({ currentTarget: { value } }) =>
              void behave({ dialect: choices.dialects.find((name) => name === value) ?? null })
            }
          />
          <fieldset className={classes.fieldset}>
            <legend className={classes.legend}>{t('partner.wrongTitle')}</legend>
            <div className={classes.wrongs}>
              {choices.wrongs.map((name) => (
                <Checkbox
                  key={name}
                  label={t(`partner.wrongs.${name}.name`)}
                  description={t(`partner.wrongs.${name}.help`)}
                  checked={wrong.includes(name)}
                  onChange={() => toggle(name)}
                />
              ))}
            </div>
          </fieldset>
          <Stack gap="xs" component="section" aria-labelledby="partner-faults">
            <Title order={3} size="h6" id="partner-faults" ref={faultsRef} tabIndex={-1}>
              {t('partner.faults')}
            </Title>
            <Text size="xs" c="dimmed">
              {t('partner.faultsHelp')}
            </Text>
            {faults.length === 0 ? (
              <Text size="sm">{t('partner.noFaults')}</Text>
            ) : (
              <DataTable label={t('partner.faults')} head={head}>
                {faults.map((fault, index) => (
                  // Two of a kind are told apart by their place alone.
                  // oxlint-disable-next-line react/no-array-index-key
                  <tr key={index}>
                    <td>{t(`partner.operations.${fault.operation}`)}</td>
                    <td>
                      {t(`partner.kinds.${fault.kind}.name`)}
                      {fault.parameter && ` (${range(fault.parameter)})`}
                    </td>
                    <Fixed>
                      {'count' in fault.amount
                        ? t('partner.left', { number: left[index] ?? 0, all: fault.amount.count })
                        : t('partner.probability', { percent: moments.percent(fault.amount.probability) })}
                    </Fixed>
                    <td>
                      <Button
                        variant="default"
                        size="compact-xs"
                        aria-label={t('partner.remove', { fault: sayFault(fault, t) })}
                        onClick={() => void remove(fault, index)}
                      >
                        {t('partner.removeShort')}
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
                void behave({ faults: [...faults, fault] }, t('partner.added', { fault: sayFault(fault, t) }))
              }
            />
          </Stack>
          <SeedForm seed={behaviour.seed} onApply={(seed) => void behave({ seed }, t('partner.applied'))} />
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
          label={t('partner.seed')}
          description={t('partner.seedHelp')}
          inputMode="numeric"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={wrong && t('partner.number', { least: 0, most: mostSeed })}
        />
        <Button type="submit" variant="default">
          {t('partner.apply')}
        </Button>
      </Group>
    </form>
  );
}
