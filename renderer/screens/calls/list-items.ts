import type { CallSummary } from '../../../preload/contract/calls.ts';

/** A check as one row, at the position of its newest call. */
type RunItem = {
  kind: 'run';
  key: string;
  newest: CallSummary;
  run: number;
  isOpen: boolean;
  startedAt: string;
};

/** Links to the report of a check for its other calls. */
type MoreItem = { kind: 'more'; key: string; newest: CallSummary; run: number; startedAt: string };

/** A row of the list: the heading of a day, a call, or a check with its calls below while it is expanded. */
export type ListItem =
  | { kind: 'day'; key: string; startedAt: string }
  | { kind: 'call'; key: string; call: CallSummary; startedAt: string }
  | RunItem
  | MoreItem;

/** Heights of the rows in pixels, as in the styles. */
export const heightOf = { day: 29, call: 36, run: 36, more: 36 } as const satisfies Record<ListItem['kind'], number>;

const dayOf = (iso: string): string => new Date(iso).toDateString();

const runKey = (run: number): string => `run-${run}`;

/**
 * Adds a heading for each day, and one row for each check, with its calls if it is expanded. The newest is first.
 * @param shownOf number of calls of a check to list; a row after them links to the others
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
    // Calls are listed in the order of their end, so around midnight a day may occur twice.
    return [{ kind: 'day', key: `day ${call.id}`, startedAt }, ...lines];
  });
}

/** Offset of an item in pixels; undefined if the list does not have it. */
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
