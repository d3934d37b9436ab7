import type { BodyField, ServiceLanguage } from '../../messages.ts';
import type { OutcomeKind, OutcomeDetails, FieldError, ShownUser } from '../outcomes.ts';

/** How one outcome is said. */
export type DialectRow<Said> = {
  /**
   * The entry of `dialects.jsonl` (answers of real servers) whose shape this is. It is absent where the file has none of
   * the framework. The shape is then the framework's documented default, or follows from the dialect's other rows.
   */
  from?: string;
  status: number | ((said: Said) => number);
  /** Returns the body. A text is sent as it is, all else as JSON, and undefined as an empty body. */
  body?: (said: Said) => unknown;
  /** `content-type` is JSON unless given. */
  headers?: (said: Said) => Record<string, string>;
};

/** What every row may use beside its outcome. */
type Moment = { nowMs: number; path: string };

type Rows = { [Kind in OutcomeKind]: DialectRow<OutcomeDetails[Kind] & Moment> };

/** A taken email is said as any other problem of a field, unless a server says it otherwise. */
export const createDialectRows = (rows: Omit<Rows, 'emailTaken'> & Partial<Pick<Rows, 'emailTaken'>>): Rows => ({
  emailTaken: rows.invalid,
  ...rows,
});

export type DialectDefinition = {
  /** One line for people. */
  help: string;
  /** The language that it speaks, whatever it is asked for. */
  language: ServiceLanguage;
  /** Whether a registration logs in. */
  issuesTokenOnRegistration: boolean;
  rows: Rows;
};

/** The headers of a page, where JSON is not what a framework sends. */
export const html = { 'content-type': 'text/html; charset=utf-8' };

/** The only header that many frameworks send with a 429. */
export const retryAfter = ({ seconds }: OutcomeDetails['throttled']): Record<string, string> => ({
  'retry-after': String(seconds),
});

export const brief = ({ id, name, email }: ShownUser) => ({ id, name, email });

/** Parts a name into its first word and all that comes after it. */
export function splitName(name: string): [first: string, rest: string] {
  const at = name.indexOf(' ');
  return at < 0 ? [name, ''] : [name.slice(0, at), name.slice(at + 1)];
}

/** Returns the fields in the order of the form, with all that is wrong with each. */
export const byField = (problems: readonly FieldError[], words = (each: FieldError): string => each.text) => {
  const found: Partial<Record<BodyField, string[]>> = {};
  for (const each of problems) (found[each.field] ??= []).push(words(each));
  return found;
};

export type DialectResponse = { status: number; headers: Record<string, string>; text: string };

/** Makes one row ready to be sent with its outcome. `extras` go into a body that is an object. */
export function renderDialect<Kind extends OutcomeKind>(
  { rows }: DialectDefinition,
  kind: Kind,
  said: OutcomeDetails[Kind] & Moment,
  extras: Record<string, string>,
): DialectResponse {
  const { status, body, headers } = rows[kind];
  const value = body?.(said) ?? '';
  const isText = typeof value === 'string';
  const isObject = typeof value === 'object' && !Array.isArray(value);
  return {
    status: typeof status === 'number' ? status : status(said),
    headers: { ...(!isText && { 'content-type': 'application/json' }), ...headers?.(said) },
    text: isText ? value : JSON.stringify(isObject ? { ...value, ...extras } : value),
  };
}
