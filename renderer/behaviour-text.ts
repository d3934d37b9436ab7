import type { Behaviour, BehaviourChange, Fault } from '../preload/contract/local-servers.ts';
import { language, t } from './i18n.ts';

/** The change after which the built-in server answers as it should. */
export const nothingMisbehaves: BehaviourChange = { dialect: null, wrong: [], faults: [] };

const listOf = (texts: readonly string[]): string =>
  new Intl.ListFormat(language(), { style: 'short', type: 'unit' }).format(texts);

/** Says a fault in a few words, such as "Too many requests (429) at Log in". */
export const faultText = ({ kind, operation }: Pick<Fault, 'kind' | 'operation'>): string =>
  t('builtIn.saysFault', { kind: t(`builtIn.kinds.${kind}.name`), operation: t(`builtIn.operations.${operation}`) });

/** Says which misbehaviour is on. How often a fault is still to come is left out, since that changes all the time. */
export function behaviourTexts({ dialect, wrong, faults }: Behaviour): string[] {
  const wrongNames = wrong.map((name) => t(`builtIn.wrongs.${name}.name`));
  const faultNames = [...new Set(faults.map((fault) => faultText(fault)))];
  return [
    ...(dialect === null ? [] : [t('builtIn.saysDialect', { name: t(`builtIn.dialects.${dialect}.name`) })]),
    ...(wrong.length === 0 ? [] : [t('builtIn.saysWrong', { names: listOf(wrongNames) })]),
    ...(faults.length === 0 ? [] : [t('builtIn.saysFaults', { names: listOf(faultNames) })]),
  ];
}
