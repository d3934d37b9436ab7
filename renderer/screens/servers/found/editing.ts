import { withoutUnused } from './described.ts';
import type { JsonObject } from './description-json.ts';

/** A description that is edited. */
export interface Editing {
  now: JsonObject;
  /** Puts another one in its place, without variables that nothing names any more. */
  change: (next: JsonObject) => void;
}

export const editing = (now: JsonObject, onChange: (next: JsonObject) => void): Editing => ({
  now,
  change: (next) => onChange(withoutUnused(now, next)),
});
