import { Radio } from '@mantine/core';
import { useId } from 'react';
import classes from './choice-cards.module.css';

interface ChoiceCardsProps<Name extends string> {
  label: string;
  choices: readonly { name: Name; title: string; hint: string }[];
  chosen: Name;
  onChoose: (name: Name) => void;
}

/** A choice of one as cards. Mantine's own cards are each a stop of the Tab key; radio buttons are one. */
export function ChoiceCards<Name extends string>({ label, choices, chosen, onChoose }: ChoiceCardsProps<Name>) {
  const group = useId();
  return (
    <div role="radiogroup" aria-label={label} className={classes.choices}>
      {choices.map(({ name, title, hint }) => (
        <Radio
          key={name}
          className={classes.choice}
          size="xs"
          name={group}
          value={name}
          label={title}
          description={hint}
          checked={name === chosen}
          onChange={() => onChoose(name)}
        />
      ))}
    </div>
  );
}
