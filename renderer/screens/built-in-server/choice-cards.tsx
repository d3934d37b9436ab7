import { useId } from 'react';
import classes from './choice-cards.module.css';

interface ChoiceCardsProps<Name extends string> {
  label: string;
  choices: readonly { name: Name; title: string; hint: string }[];
  chosen: Name;
  onChoose: (name: Name) => void;
}

/** Offers one of a few things as cards, each with a hint. It is one stop of the Tab key, and arrows choose. */
export function ChoiceCards<Name extends string>({ label, choices, chosen, onChoose }: ChoiceCardsProps<Name>) {
  const id = useId();
  return (
    <div role="radiogroup" aria-label={label} className={classes.choices}>
      {choices.map(({ name, title, hint }) => (
        <label key={name} className={classes.choice}>
          <input
            type="radio"
            className={classes.radio}
            name={id}
            checked={name === chosen}
            onChange={() => onChoose(name)}
            aria-labelledby={`${id}-${name}`}
            aria-describedby={`${id}-${name}-hint`}
          />
          <span id={`${id}-${name}`} className="strong">
            {title}
          </span>
          <span id={`${id}-${name}-hint`} className={classes.hint}>
            {hint}
          </span>
        </label>
      ))}
    </div>
  );
}
