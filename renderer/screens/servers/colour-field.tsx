import { useId } from 'react';
import type { ServerColour } from '../../../preload/contract/models.ts';
import { useTexts } from '../../texts.tsx';
import classes from './colour-field.module.css';

const colours: readonly ServerColour[] = ['gray', 'blue', 'teal', 'green', 'amber', 'orange', 'red', 'purple', 'pink'];

interface ColourFieldProps {
  value: ServerColour;
  onChange: (colour: ServerColour) => void;
}

/** Asks for the colour of a server. The one that is chosen is named in words too. */
export function ColourField({ value, onChange }: ColourFieldProps) {
  const { t } = useTexts();
  const name = useId();
  return (
    <fieldset className={classes.field}>
      <legend className={classes.legend}>
        {t('server.colour')} <span className={classes.chosen}>{t(`colour.${value}`)}</span>
      </legend>
      <div className={classes.swatches}>
        {colours.map((colour) => (
          <input
            key={colour}
            type="radio"
            name={name}
            className={classes.swatch}
            data-colour={colour}
            aria-label={t(`colour.${colour}`)}
            title={t(`colour.${colour}`)}
            checked={colour === value}
            onChange={() => onChange(colour)}
          />
        ))}
      </div>
    </fieldset>
  );
}
