import type { InterfaceFault, InterfaceGuess } from '../../../../preload/contract/connection.ts';
import type { OpenImport } from '../use-import.ts';
import { sentAsOf } from './described.ts';
import { isObject, type JsonObject, readObject, textAt, valueAt } from './description-json.ts';
import { type Mark, markOf, partNames, type PartName, placeOf } from './part-marks.ts';

/** Returns the parts that are listed, with their marks. */
export function marksOf(open: OpenImport, now: JsonObject, faults: readonly InterfaceFault[]): [PartName, Mark][] {
  const given = { parts: open.parts, first: open.first, now, address: open.address, faults, works: open.works };
  return partNames.filter((part) => isListed(part, now)).map((part) => [part, markOf(part, given)]);
}

function isListed(part: PartName, now: JsonObject): boolean {
  if (part === 'fields') return isObject(valueAt(now, ['calls', 'login']));
  // The cookie itself is what the token would be.
  if (part === 'token') return sentAsOf(now).in !== 'cookie' || textAt(now, ['outputs', 'token']) !== undefined;
  if (part === 'csrf') return now['csrf'] !== undefined;
  if (part === 'headers') return isObject(now['headers']) && Object.keys(now['headers']).length > 0;
  return true;
}

/** Returns what is still a guess, by its places. */
export function guessesOf(open: OpenImport): InterfaceGuess[] {
  const now = readObject(open.text);
  const marks = now ? marksOf(open, now, []) : [];
  return marks.flatMap(([part, { is, reasons }]) => {
    if (is !== 'guess') return [];
    return reasons.length === 0 ? [{ at: placeOf(part) }] : reasons.map(({ at, why }) => ({ at, ...(why && { why }) }));
  });
}
