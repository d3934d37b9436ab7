import { Button } from '@mantine/core';
import type { Behaviour, BehaviourChoices } from '../../../preload/contract/local-servers.ts';
import { DoneIcon, WarningIcon } from '../../components/icons.tsx';
import classes from './strip.module.css';
import { t } from '../../i18n.ts';

interface MisbehavesStripProps {
  behaviour: Behaviour;
  /** It is undefined until main has answered. */
  choices: BehaviourChoices | undefined;
  sending: boolean;
  onTurnOff: () => void;
}

/**
 * Says whether the server misbehaves on purpose, and turns all of it off. It is always as high as its longest text is,
 * so that nothing below it moves when a person turns something on there.
 */
export function MisbehavesStrip({ behaviour, choices, sending, onTurnOff }: MisbehavesStripProps) {
  const { isOn } = behaviour;
  const off = [t('builtIn.strip.off'), t('builtIn.strip.offHelp')] as const;
  const on = [t('builtIn.strip.on'), sayCounts(behaviour)] as const;
  const longest = [t('builtIn.strip.on'), sayLongestCounts(choices)] as const;
  const [title, details] = isOn ? on : off;
  return (
    <div className={classes.strip} data-on={isOn}>
      {isOn ? <WarningIcon size={20} /> : <DoneIcon size={20} />}
      <div className={classes.texts}>
        <output className={classes.text}>
          <strong>{title}</strong>
          <span>{details}</span>
        </output>
        {[off, longest].map(([first, second]) => (
          <div key={second} className={classes.text} data-holds aria-hidden>
            <strong>{first}</strong>
            <span>{second}</span>
          </div>
        ))}
      </div>
      <Button
        variant={isOn ? 'filled' : 'default'}
        color="red"
        flex="none"
        aria-disabled={!isOn}
        aria-busy={sending}
        onClick={() => isOn && onTurnOff()}
      >
        {t('builtIn.allOff')}
      </Button>
    </div>
  );
}

/** How often a fault is still to come is left out, since that changes with each request and would be read out. */
function sayCounts({ dialect, wrong, faults }: Pick<Behaviour, 'dialect' | 'wrong' | 'faults'>): string {
  return [
    ...(dialect === null ? [] : [t('builtIn.strip.dialect', { name: t(`builtIn.dialects.${dialect}.name`) })]),
    ...(wrong.length === 0 ? [] : [t('builtIn.strip.wrong', { number: wrong.length })]),
    ...(faults.length === 0 ? [] : [t('builtIn.strip.faults', { number: faults.length })]),
  ].join(' ');
}

function sayLongestCounts(choices: BehaviourChoices | undefined): string {
  const names = choices?.dialects.map((dialect) => t(`builtIn.dialects.${dialect}.name`)) ?? [];
  const longest = names.toSorted((one, other) => other.length - one.length)[0] ?? t('builtIn.dialects.django.name');
  return [
    t('builtIn.strip.dialect', { name: longest }),
    t('builtIn.strip.wrong', { number: 10 }),
    t('builtIn.strip.faults', { number: 100 }),
  ].join(' ');
}
