import type { WrongName } from '../../../preload/contract/built-in-server.ts';
import { Card } from '../../components/card.tsx';
import { Chip } from '../../components/chip.tsx';
import { useTexts } from '../../texts.tsx';
import classes from './built-in-server.module.css';
import { WrongSwitch } from './wrong-switch.tsx';

interface WrongsProps {
  all: readonly WrongName[];
  chosen: readonly WrongName[];
  onChange: (chosen: WrongName[]) => void;
}

/** Chooses what the server does wrong. Several wrongs may be chosen together. */
export function Wrongs({ all, chosen, onChange }: WrongsProps) {
  const { t } = useTexts();
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
