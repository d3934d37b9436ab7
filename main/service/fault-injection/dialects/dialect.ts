import type { BodyField, ServiceLanguage } from '../../messages.ts';
import type { OutcomeKind, OutcomeDetails, FieldError, ShownUser } from '../outcomes.ts';

/** The response to one outcome. */
export type DialectRow<Details> = {
  /**
   * The entry of `dialects.jsonl` (answers of real servers) whose shape this is. It is absent where the file has none of
   * the framework. The shape is then the framework's documented default, or follows from the dialect's other rows.
   */
  from?: string;
  status: number | ((details: Details) => number);
  /** A string is sent as it is, anything else as JSON, undefined as an empty body. */
  body?: (details: Details) => unknown;
  /** `content-type` is JSON by default. */
  headers?: (details: Details) => Record<string, string>;
};

type Moment = { nowMs: number; path: string };

type Rows = { [Kind in OutcomeKind]: DialectRow<OutcomeDetails[Kind] & Moment> };

/** A taken email is an invalid field, unless a server has a response of its own for it. */
export const createDialectRows = (rows: Omit<Rows, 'emailTaken'> & Partial<Pick<Rows, 'emailTaken'>>): Rows => ({
  emailTaken: rows.invalid,
  ...rows,
});

export type DialectDefinition = {
  /** One line of `serve --help`. */
  help: string;
  /** Whatever `Accept-Language` is. */
  language: ServiceLanguage;
  issuesTokenOnRegistration: boolean;
  rows: Rows;
};

/** For responses that are pages. */
export const html = { 'content-type': 'text/html; charset=utf-8' };

/** The only header that many frameworks send with a 429. */
export const retryAfter = ({ seconds }: OutcomeDetails['throttled']): Record<string, string> => ({
  'retry-after': String(seconds),
});

export const brief = ({ id, name, email }: ShownUser) => ({ id, name, email });

/** Splits a name into its first word and the rest. */
export function splitName(name: string): [first: string, rest: string] {
  const at = name.indexOf(' ');
  return at < 0 ? [name, ''] : [name.slice(0, at), name.slice(at + 1)];
}

/** The invalid fields in the order of the form, with their errors. */
export const byField = (problems: readonly FieldError[], words = (each: FieldError): string => each.text) => {
  const found: Partial<Record<BodyField, string[]>> = {};
  for (const each of problems) (found[each.field] ??= []).push(words(each));
  return found;
};

type DialectResponse = { status: number; headers: Record<string, string>; text: string };

/** `extras` are added to a body that is an object. */
export function renderDialect<Kind extends OutcomeKind>(
  { rows }: DialectDefinition,
  kind: Kind,
  details: OutcomeDetails[Kind] & Moment,
  extras: Record<string, string>,
): DialectResponse {
  const { status, body, headers } = rows[kind];
  const value = body?.(details) ?? '';
  const isText = typeof value === 'string';
  const isObject = typeof value === 'object' && !Array.isArray(value);
  return {
    status: typeof status === 'number' ? status : status(details),
    headers: { ...(!isText && { 'content-type': 'application/json' }), ...headers?.(details) },
    text: isText ? value : JSON.stringify(isObject ? { ...value, ...extras } : value),
  };
}
