import type { CallSummary } from '../../../preload/contract/calls.ts';

/** One line of the list: the heading of a day, or a call. */
export type ListItem =
  | { kind: 'day'; key: string; startedAt: string }
  | { kind: 'call'; key: string; call: CallSummary; index: number };

/** The heights in pixels that the styles give to both. */
export const heightOf = { day: 29, call: 56 } as const satisfies Record<ListItem['kind'], number>;

const dayOf = (iso: string): string => new Date(iso).toDateString();

/** Puts the heading of its day above the first call of each day. The newest call is the first. */
export function itemsOf(calls: readonly CallSummary[]): ListItem[] {
  let before: string | undefined;
  return calls.flatMap((call, index): ListItem[] => {
    const day = dayOf(call.startedAt);
    const isNew = day !== before;
    before = day;
    const item = { kind: 'call', key: call.id, call, index } as const;
    // Imported calls may stand among others of another day, so that a day comes twice.
    return isNew ? [{ kind: 'day', key: `day ${call.id}`, startedAt: call.startedAt }, item] : [item];
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
