import type { CallSummary } from '../../../preload/contract/calls.ts';

/** A contract run in one line, where its newest call stands. */
type RunItem = {
  kind: 'run';
  key: string;
  newest: CallSummary;
  run: number;
  isOpen: boolean;
  startedAt: string;
};

/** One line of the list: the heading of a day, a call, or a contract run, under which its calls stand if it is open. */
export type ListItem =
  | { kind: 'day'; key: string; startedAt: string }
  | { kind: 'call'; key: string; call: CallSummary; startedAt: string }
  | RunItem;

/** The heights in pixels that the styles give to them. */
export const heightOf = { day: 29, call: 56, run: 56 } as const satisfies Record<ListItem['kind'], number>;

const dayOf = (iso: string): string => new Date(iso).toDateString();

const runKey = (run: number): string => `run-${run}`;

/**
 * Puts the heading of its day above the first line of each day, and one line in the place of the calls of each contract
 * run that is not open. The newest is the first.
 * @param isOpen whether the calls of a run are to be seen
 */
export function itemsOf(calls: readonly CallSummary[], isOpen: (run: number) => boolean): ListItem[] {
  const seen = new Set<number>();
  let before: string | undefined;
  return calls.flatMap((call): ListItem[] => {
    const { startedAt, contractRun: run } = call;
    const lines: ListItem[] = [];
    if (run !== undefined && !seen.has(run))
      lines.push({ kind: 'run', key: runKey(run), newest: call, run, isOpen: isOpen(run), startedAt });
    if (run !== undefined) seen.add(run);
    if (run === undefined || isOpen(run)) lines.push({ kind: 'call', key: call.id, call, startedAt });
    const day = dayOf(startedAt);
    if (lines.length === 0 || day === before) return lines;
    before = day;
    // A call is listed once it has ended, so that around midnight a day may come twice.
    return [{ kind: 'day', key: `day ${call.id}`, startedAt }, ...lines];
  });
}

/** Returns how far below the top of the list a call is; undefined when it is not in it. */
export function placeOf(items: readonly ListItem[], id: string): number | undefined {
  let place = 0;
  for (const item of items) {
    if (item.key === id) return place;
    place += heightOf[item.kind];
  }
  return undefined;
}

/** Names a day as a person does, relative to now; undefined where only its date names it. */
export function nearDay(startedAt: string, now: Date): 'today' | 'yesterday' | undefined {
  const day = dayOf(startedAt);
  if (day === now.toDateString()) return 'today';
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  return day === yesterday.toDateString() ? 'yesterday' : undefined;
}
