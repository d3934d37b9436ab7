import { useId } from 'react';
import type { ServerColour } from '../../../preload/contract/settings.ts';
import classes from './colour-field.module.css';
import { t } from '../../i18n.ts';

/** Red is not offered: it marks production. */
const colours: readonly ServerColour[] = ['gray', 'blue', 'teal', 'green', 'amber', 'orange', 'purple', 'pink'];

interface ColourFieldProps {
  value: ServerColour;
  /** A new server gets its colour by itself, unless one is chosen. */
  isOpen: boolean;
  onChange: (colour: ServerColour) => void;
}

/** Asks for the colour of a server. Each is named in words too. */
export function ColourField({ value, isOpen, onChange }: ColourFieldProps) {
  const name = useId();
  const chosen = isOpen && value === 'gray' ? undefined : value;
  return (
    <fieldset className={classes.field}>
      <legend className={classes.legend}>{t('server.colour')}</legend>
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
            checked={colour === chosen}
            onChange={() => onChange(colour)}
          />
        ))}
      </div>
    </fieldset>
  );
}
