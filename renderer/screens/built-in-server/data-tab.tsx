import { Button, Group, Radio, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../../preload/contract/models.ts';
import type { Result } from '../../../preload/contract/result.ts';
import type { BuiltInData, SeedName } from '../../../preload/contract/built-in-server.ts';
import { api } from '../../api.ts';
import { useAttempt } from '../../use-attempt.ts';
import { mostSeed, readNumber } from './numbers.ts';
import { Outcome } from './outcome.tsx';
import classes from './built-in-server.module.css';
import { Question } from './question.tsx';
import { createMoments } from './say-moment.ts';
import { useLoaded } from './use-loaded.ts';

const sets = ['empty', 'three', 'many', 'awkward'] as const satisfies readonly SeedName[];
const isSet = (name: string): name is SeedName => sets.some((set) => set === name);

type Asking = { kind: 'reset'; seed: number } | { kind: 'restore' | 'remove'; id: string; atMs: number };

const verbs = { reset: 'replace', restore: 'restore', remove: 'remove' } as const satisfies Record<
  Asking['kind'],
  string
>;

/** All the accounts at once: others in their place, undo, snapshots. */
export function DataTab({ state: { activeServerId } }: { state: AppState }) {
  const { t, i18n } = useTranslation();
  const moments = useMemo(() => createMoments(i18n.language), [i18n.language]);
  const { value: held, error, put } = useLoaded(api.builtIn.data);
  const attempt = useAttempt(activeServerId);
  const [set, setSet] = useState<SeedName>('three');
  const [seed, setSeed] = useState('1');
  const [seedError, setSeedError] = useState(false);
  const [asking, setAsking] = useState<Asking>();
  const [said, setSaid] = useState<string>();
  const seedRef = useRef<HTMLInputElement>(null);
  const snapshotsRef = useRef<HTMLHeadingElement>(null);

  /** Whether it was done. */
  async function run(call: () => Promise<Result<BuiltInData>>, say: (after: BuiltInData) => string): Promise<boolean> {
    const result = await attempt.run(call);
    if (!result) return false;
    setAsking(undefined);
    if (!result.ok) return false;
    put(result.value);
    setSaid(say(result.value));
    return true;
  }

  const reset = (number: number) =>
    run(
      () => api.builtIn.reset({ set, seed: number }),
      ({ accounts }) => t('builtIn.data.replaced', { number: accounts }),
    );

  function submit(event: FormEvent) {
    event.preventDefault();
    const number = readNumber(seed, { least: 0, most: mostSeed });
    setSeedError(number === undefined);
    if (number === undefined) seedRef.current?.focus();
    else if (held && held.accounts > 0) setAsking({ kind: 'reset', seed: number });
    else void reset(number);
  }

  const restore = (id: string) =>
    run(
      () => api.builtIn.restore({ id }),
      ({ accounts }) => t('builtIn.data.restored', { number: accounts }),
    );

  async function remove(id: string) {
    const done = await run(
      () => api.builtIn.removeSnapshot({ id }),
      () => t('builtIn.data.removed'),
    );
    // The button goes away with its snapshot: the focus must not go with it.
    if (done) snapshotsRef.current?.focus();
  }

  function goOn() {
    if (asking?.kind === 'reset') void reset(asking.seed);
    else if (asking?.kind === 'restore') void restore(asking.id);
    else if (asking) void remove(asking.id);
  }

  function sayQuestion(wanted: Asking, number: number): string {
    if (wanted.kind === 'reset') return t('builtIn.data.sure', { number });
    const time = moments.moment(wanted.atMs);
    return wanted.kind === 'restore'
      ? t('builtIn.data.sureRestore', { number, time })
      : t('builtIn.data.sureRemove', { time });
  }

  const canUndo = held?.canUndo ?? false;
  return (
    <Stack gap="md">
      <Outcome said={held ? said : t('builtIn.loading')} error={attempt.failure?.error ?? error} />
      <Text size="sm">{held && t('builtIn.data.accounts', { number: held.accounts })}</Text>
      {asking && held && (
        <Question
          text={sayQuestion(asking, held.accounts)}
          keep={t('builtIn.data.keep')}
          goOn={t(`builtIn.data.${verbs[asking.kind]}Now`)}
          sending={attempt.sending}
          onKeep={() => setAsking(undefined)}
          onGoOn={goOn}
        />
      )}
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <Radio.Group
            label={t('builtIn.data.sets')}
            description={t('builtIn.data.setsHelp')}
            descriptionProps={{ mb: 'xs' }}
            value={set}
            onChange={(name) => isSet(name) && setSet(name)}
          >
            <div className={classes.wrongs}>
              {sets.map((name) => (
                <Radio
                  key={name}
                  value={name}
                  label={t(`builtIn.data.set.${name}.name`)}
                  description={t(`builtIn.data.set.${name}.help`)}
                />
              ))}
            </div>
          </Radio.Group>
          <Group align="flex-end">
            <TextInput
              ref={seedRef}
              label={t('builtIn.data.seed')}
              description={t('builtIn.data.seedHelp')}
              inputMode="numeric"
              value={seed}
              onChange={(event) => setSeed(event.currentTarget.value)}
              error={seedError && t('builtIn.number', { least: 0, most: mostSeed })}
            />
            <Button type="submit" variant="default" aria-busy={attempt.sending}>
              {t('builtIn.data.replace')}
            </Button>
            <Button
              variant="default"
              aria-describedby="builtInServer-undo"
              aria-disabled={!canUndo}
              onClick={() =>
                canUndo && void run(api.builtIn.undo, ({ accounts }) => t('builtIn.data.undone', { number: accounts }))
              }
            >
              {t('builtIn.data.undo')}
            </Button>
          </Group>
          <Text size="xs" c="dimmed" id="builtInServer-undo">
            {t(canUndo ? 'builtIn.data.undoHelp' : 'builtIn.data.nothingToUndo')}
          </Text>
        </Stack>
      </form>
      <Stack gap="xs" component="section" aria-labelledby="builtInServer-snapshots">
        <Title order={3} size="h6" id="builtInServer-snapshots" ref={snapshotsRef} tabIndex={-1}>
          {t('builtIn.data.snapshots')}
        </Title>
        <Text size="xs" c="dimmed">
          {t('builtIn.data.snapshotsHelp')}
        </Text>
        {held?.snapshots.length === 0 && <Text size="sm">{t('builtIn.data.noSnapshots')}</Text>}
        <ul className={classes.snapshots}>
          {held?.snapshots.map(({ id, atMs }) => (
            <li key={id} className={classes.snapshot}>
              <Text size="sm">{moments.moment(atMs)}</Text>
              <Group gap={4}>
                {(['restore', 'remove'] as const).map((kind) => (
                  <Button
                    key={kind}
                    variant="default"
                    size="compact-xs"
                    aria-label={t(`builtIn.data.${kind}This`, { time: moments.moment(atMs) })}
                    onClick={() => setAsking({ kind, id, atMs })}
                  >
                    {t(`builtIn.data.${kind}`)}
                  </Button>
                ))}
              </Group>
            </li>
          ))}
        </ul>
        <div>
          <Button
            variant="default"
            size="xs"
            aria-busy={attempt.sending}
            onClick={() => void run(api.builtIn.snapshot, () => t('builtIn.data.made'))}
          >
            {t('builtIn.data.make')}
          </Button>
        </div>
      </Stack>
    </Stack>
  );
}
