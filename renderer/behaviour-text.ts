import type { ServerBehaviour, BehaviourChange, FaultRule } from '../preload/contract/local-servers.ts';
import { language, t } from './i18n.ts';

/** The change that resets the built-in server to normal behaviour. */
export const nothingMisbehaves: BehaviourChange = { dialect: null, defects: [], faults: [] };

const listOf = (texts: readonly string[]): string =>
  new Intl.ListFormat(language(), { style: 'short', type: 'unit' }).format(texts);

/** Formats a fault, such as "Too many requests (429) at Log in". */
export const injectedFaultText = ({ kind, operation }: Pick<FaultRule, 'kind' | 'operation'>): string =>
  t('builtIn.saysFault', { kind: t(`builtIn.kinds.${kind}.name`), operation: t(`builtIn.operations.${operation}`) });

/** Formats the active misbehaviour, without the remaining counts of faults, because they change with each request. */
export function behaviourTexts({ dialect, defects, faults }: ServerBehaviour): string[] {
  const wrongNames = defects.map((name) => t(`builtIn.vulnerabilities.${name}.name`));
  const faultNames = [...new Set(faults.map((fault) => injectedFaultText(fault)))];
  return [
    ...(dialect === null ? [] : [t('builtIn.saysDialect', { name: t(`builtIn.dialects.${dialect}.name`) })]),
    ...(defects.length === 0 ? [] : [t('builtIn.saysVulnerabilities', { names: listOf(wrongNames) })]),
    ...(faults.length === 0 ? [] : [t('builtIn.saysFaults', { names: listOf(faultNames) })]),
  ];
}
