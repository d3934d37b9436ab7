import type { DialectName, DefectName } from '../../../preload/contract/names.ts';
import { formatFault, type InjectedFault } from './faults.ts';

/** How the service is to behave: everything in which it misbehaves on purpose. */
export type FaultInjectionSettings = {
  /** The dialect it speaks; when it is absent, the service speaks in its own way. */
  dialect?: DialectName | undefined;
  faults: readonly InjectedFault[];
  /** It decides every probability and every random latency: the same seed gives the same run. */
  seed: number;
  defects: readonly DefectName[];
  /** How many of the last requests are kept. 0 keeps none, and the most is 10 000. */
  keepRequests: number;
};

/** Says for people what is on, in the words of the options. The text is empty when all is well. */
export function formatFaultInjection({ dialect, faults, seed, defects }: FaultInjectionSettings): string {
  return [
    ...(dialect === undefined ? [] : [`response format ${dialect}`]),
    ...(faults.length === 0 ? [] : [`faults ${faults.map(formatFault).join(' ')} with seed ${seed}`]),
    ...(defects.length === 0 ? [] : [`vulnerabilities ${defects.join(', ')}`]),
  ].join('; ');
}
