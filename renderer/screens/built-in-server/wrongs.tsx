import type { WrongName } from '../../../preload/contract/local-servers.ts';
import { Card } from '../../components/card.tsx';
import { Chip } from '../../components/chip.tsx';
import classes from './built-in-server.module.css';
import { useId } from 'react';
import switchClasses from './wrong-switch.module.css';
import { t } from '../../i18n.ts';

interface WrongsProps {
  all: readonly WrongName[];
  chosen: readonly WrongName[];
  onChange: (chosen: WrongName[]) => void;
}

/** Chooses what the server does wrong. Several wrongs may be chosen together. */
export function Wrongs({ all, chosen, onChange }: WrongsProps) {
  const toggle = (name: WrongName) =>
    onChange(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]);
  return (
    <Card
      title={t('builtIn.wrongTitle')}
      aside={chosen.length > 0 && <Chip tone="bad">{t('builtIn.wrongOn', { number: chosen.length })}</Chip>}
    >
      <div className={classes.wrongs}>
        {all.map((name) => (
          <WrongSwitch
            key={name}
            label={t(`builtIn.wrongs.${name}.name`)}
            hint={t(`builtIn.wrongs.${name}.help`)}
            checked={chosen.includes(name)}
            onToggle={() => toggle(name)}
          />
        ))}
      </div>
    </Card>
  );
}

interface WrongSwitchProps {
  label: string;
  hint: string;
  checked: boolean;
  onToggle: () => void;
}

/** Turns something wrong on and off. It is red while it is on, and its knob stands at the other end. */
function WrongSwitch({ label, hint, checked, onToggle }: WrongSwitchProps) {
  const id = useId();
  return (
    <label className={switchClasses.switch}>
      <input
        type="checkbox"
        role="switch"
        className={switchClasses.track}
        checked={checked}
        aria-checked={checked}
        onChange={onToggle}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-hint`}
      />
      <span id={`${id}-label`} className="normal medium">
        {label}
      </span>
      <span id={`${id}-hint`} className={switchClasses.hint}>
        {hint}
      </span>
    </label>
  );
}
