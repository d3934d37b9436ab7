import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SeedName } from '../../../preload/contract/built-in-server.ts';
import classes from './built-in-server.module.css';
import { mostSeed, readNumber } from './numbers.ts';

const sets = ['empty', 'three', 'many', 'awkward'] as const satisfies readonly SeedName[];
const isSet = (name: string): name is SeedName => sets.some((set) => set === name);

interface ReplaceFormProps {
  canUndo: boolean;
  sending: boolean;
  onReplace: (set: SeedName, seed: number) => void;
  onUndo: () => void;
}

/** Puts a set of made-up accounts in the place of all, or undoes that. */
export function ReplaceForm({ canUndo, sending, onReplace, onUndo }: ReplaceFormProps) {
  const { t } = useTranslation();
  const [set, setSet] = useState<SeedName>('three');
  const [seed, setSeed] = useState('1');
  const [seedError, setSeedError] = useState(false);
  const seedRef = useRef<HTMLInputElement>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    const number = readNumber(seed, { least: 0, most: mostSeed });
    setSeedError(number === undefined);
    if (number === undefined) seedRef.current?.focus();
    else onReplace(set, number);
  }

  return (
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
          <Button type="submit" variant="default" aria-busy={sending}>
            {t('builtIn.data.replace')}
          </Button>
          <Button
            variant="default"
            aria-describedby="builtInServer-undo"
            aria-disabled={!canUndo}
            onClick={() => canUndo && onUndo()}
          >
            {t('builtIn.data.undo')}
          </Button>
        </Group>
        <Text size="xs" c="dimmed" id="builtInServer-undo">
          {t(canUndo ? 'builtIn.data.undoHelp' : 'builtIn.data.nothingToUndo')}
        </Text>
      </Stack>
    </form>
  );
}
