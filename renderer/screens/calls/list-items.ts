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

/** Leads to the report of a run, which has its other calls. */
type MoreItem = { kind: 'more'; key: string; newest: CallSummary; run: number; startedAt: string };

/** One line of the list: the heading of a day, a call, or a contract run, under which its calls stand if it is open. */
export type ListItem =
  | { kind: 'day'; key: string; startedAt: string }
  | { kind: 'call'; key: string; call: CallSummary; startedAt: string }
  | RunItem
  | MoreItem;

/** The heights in pixels that the styles give to them. */
export const heightOf = { day: 29, call: 36, run: 36, more: 36 } as const satisfies Record<ListItem['kind'], number>;

const dayOf = (iso: string): string => new Date(iso).toDateString();

const runKey = (run: number): string => `run-${run}`;

/**
 * Puts the heading of its day above the first line of each day, and one line in the place of the calls of each contract
 * run that is not open. The newest is the first.
 * @param shownOf how many calls of a run are to be seen; after the last of them a line leads to the others
 */
export function itemsOf(
  calls: readonly CallSummary[],
  shownOf: (run: number, call: CallSummary) => number,
): ListItem[] {
  const seen = new Map<number, number>();
  let before: string | undefined;
  return calls.flatMap((call): ListItem[] => {
    const { startedAt, contractRun: run } = call;
    const lines: ListItem[] = [];
    if (run === undefined) lines.push({ kind: 'call', key: call.id, call, startedAt });
    else {
      const most = shownOf(run, call);
      const place = (seen.get(run) ?? 0) + 1;
      seen.set(run, place);
      const ofRun = { newest: call, run, startedAt };
      if (place === 1) lines.push({ kind: 'run', key: runKey(run), ...ofRun, isOpen: most > 0 });
      if (place <= most) lines.push({ kind: 'call', key: call.id, call, startedAt });
      if (most > 0 && place === most + 1) lines.push({ kind: 'more', key: `more-${run}`, ...ofRun });
    }
    const day = dayOf(startedAt);
    if (lines.length === 0 || day === before) return lines;
    before = day;
    // A call is listed once it has ended, so that around midnight a day may come twice.
    return [{ kind: 'day', key: `day ${call.id}`, startedAt }, ...lines];
  });
}

/** Returns how many pixels below the top of the list an item is; undefined where it is not in it. */
export function offsetOf(items: readonly ListItem[], id: string): number | undefined {
  let offset = 0;
  for (const item of items) {
    if (item.key === id) return offset;
    offset += heightOf[item.kind];
  }
  return undefined;
}

/** Returns undefined for any other day. */
export function nearDay(startedAt: string, now: Date): 'today' | 'yesterday' | undefined {
  const day = dayOf(startedAt);
  if (day === now.toDateString()) return 'today';
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  return day === yesterday.toDateString() ? 'yesterday' : undefined;
}
