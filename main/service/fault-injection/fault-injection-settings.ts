import type { AccountDefectName, DialectName, DefectName } from '../../../preload/contract/names.ts';
import { formatFault, type InjectedFault } from './faults.ts';

/** Everything that is simulated. */
export type FaultInjectionSettings = {
  /** The response format; the service's own by default. */
  dialect?: DialectName | undefined;
  faults: readonly InjectedFault[];
  /** Of every probability and random latency: the same seed gives the same run. */
  seed: number;
  defects: readonly DefectName[];
  /** Of the account calls, if those are on. */
  accountDefects: readonly AccountDefectName[];
  /** How many of the last requests are logged, from 0 to 10 000. */
  keepRequests: number;
};

/** Empty if nothing is simulated. */
export function formatFaultInjection(settings: FaultInjectionSettings): string {
  const { dialect, faults, seed } = settings;
  const defects = [...settings.defects, ...settings.accountDefects];
  return [
    ...(dialect === undefined ? [] : [`response format ${dialect}`]),
    ...(faults.length === 0 ? [] : [`faults ${faults.map(formatFault).join(' ')} with seed ${seed}`]),
    ...(defects.length === 0 ? [] : [`vulnerabilities ${defects.join(', ')}`]),
  ].join('; ');
}
