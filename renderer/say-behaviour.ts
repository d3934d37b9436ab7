import type { TFunction } from 'i18next';
import type { Behaviour, Fault } from '../preload/contract/service.ts';

const listOf = (language: string, texts: readonly string[]): string =>
  new Intl.ListFormat(language, { style: 'short', type: 'unit' }).format(texts);

/** "Error 429 at Log in" */
export const sayFault = ({ kind, operation }: Pick<Fault, 'kind' | 'operation'>, t: TFunction): string =>
  t('partner.saysFault', { kind: t(`partner.kinds.${kind}.name`), operation: t(`partner.operations.${operation}`) });

/** What of the misbehaviour is on, in sentences. Without how often a fault is still to come: that changes all the time. */
export function sayBehaviour({ dialect, wrong, faults }: Behaviour, t: TFunction, language: string): string[] {
  const wrongNames = wrong.map((name) => t(`partner.wrongs.${name}.name`));
  const faultNames = [...new Set(faults.map((fault) => sayFault(fault, t)))];
  return [
    ...(dialect === null ? [] : [t('partner.saysDialect', { name: t(`partner.dialects.${dialect}.name`) })]),
    ...(wrong.length === 0 ? [] : [t('partner.saysWrong', { names: listOf(language, wrongNames) })]),
    ...(faults.length === 0 ? [] : [t('partner.saysFaults', { names: listOf(language, faultNames) })]),
  ];
}
