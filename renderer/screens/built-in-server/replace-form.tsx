import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import type { SeedName } from '../../../preload/contract/local-servers.ts';
import { Card } from '../../components/card.tsx';
import classes from './built-in-server.module.css';
import { ChoiceCards } from './choice-cards.tsx';
import { mostSeed, readNumber } from './numbers.ts';
import { t } from '../../i18n.ts';

const sets = ['empty', 'three', 'many', 'awkward'] as const satisfies readonly SeedName[];

interface ReplaceFormProps {
  /** How many there are now; undefined when main could not say. */
  accounts: number | undefined;
  canUndo: boolean;
  sending: boolean;
  onReplace: (set: SeedName, seed: number) => void;
  onUndo: () => void;
}

/** Puts a set of made-up accounts in the place of all, or undoes that. */
export function ReplaceForm({ accounts, canUndo, sending, onReplace, onUndo }: ReplaceFormProps) {
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
    <Card
      title={t('builtIn.data.sets')}
      aside={accounts !== undefined && t('builtIn.data.accounts', { number: accounts })}
    >
      <form onSubmit={submit} noValidate className="grid slim gap16">
        <ChoiceCards
          label={t('builtIn.data.sets')}
          choices={sets.map((name) => ({
            name,
            title: t(`builtIn.data.set.${name}.name`),
            hint: t(`builtIn.data.set.${name}.help`),
          }))}
          chosen={set}
          onChoose={setSet}
        />
        <p className="flush hint">{t('builtIn.data.setsHelp')}</p>
        <TextInput
          ref={seedRef}
          size="xs"
          maw={320}
          label={t('builtIn.data.seed')}
          description={t('builtIn.data.seedHelp')}
          descriptionProps={{ size: 'md' }}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          inputMode="numeric"
          value={seed}
          onChange={(event) => setSeed(event.currentTarget.value)}
          error={seedError && t('builtIn.number', { least: 0, most: mostSeed })}
        />
        <div className={classes.row}>
          <Button type="submit" variant="outline" color="red" aria-busy={sending}>
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
        </div>
        <p className="flush hint" id="builtInServer-undo">
          {t(canUndo ? 'builtIn.data.undoHelp' : 'builtIn.data.nothingToUndo')}
        </p>
      </form>
    </Card>
  );
}
