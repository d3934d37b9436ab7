import type { InterfaceCall } from '../../preload/contract/interface.ts';
import type { Identifiers } from './identifiers.ts';
import { percentEncodeAll } from './safe-path.ts';
import {
  fillTemplate,
  isFieldName,
  isIdentityTemplate,
  isRecord,
  placeholderNames,
  toText,
  withUsername,
  type PlaceholderValues,
} from './template.ts';

/** How the fields of a call are written: `query` is percent-encoded, in its address. */
export type Encoding = NonNullable<InterfaceCall['encoding']>;

/** Fields with blanks of JSON, or one more field of a form or a query, up to so many bytes. */
export function padded(body: string | undefined, encoding: Encoding, bytes = 0): string | undefined {
  const lacking = bytes - (body?.length ?? bytes);
  if (body === undefined || lacking <= 0) return body;
  // Blanks between values mean nothing in JSON.
  return encoding === 'json'
    ? `${body[0]}${' '.repeat(lacking)}${body.slice(1)}`
    : `${body}&padding=${'x'.repeat(lacking)}`;
}

/** The fields of a call as they are written, for its body or its query; undefined where it has none. */
export function createBody(
  call: InterfaceCall,
  said: {
    fields: PlaceholderValues | string | undefined;
    values: PlaceholderValues;
    encoding: Encoding;
    asked: ReadonlySet<string>;
    identifiers: Identifiers | undefined;
  },
): string | undefined {
  const { fields, values, encoding, asked, identifiers } = said;
  if (typeof fields === 'string') return fields;
  const members = membersOf(call, fields, { values, asked });
  const body = members && identifiers ? identifiers.withUsername(members, fields?.['username']) : members;
  if (body === undefined) return undefined;
  if (encoding === 'json') return JSON.stringify(body);
  const texts = Object.entries(body).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, toText(value)]],
  );
  return encoding === 'form'
    ? new URLSearchParams(texts).toString()
    : texts.map((pair) => pair.map(percentEncodeAll).join('=')).join('&');
}

/**
 * The members of a body. Fields that the interface does not know go along as they are. One of the forms that the
 * description asks for in no registration, nor in this call, goes to nobody: a strict server refuses it.
 */
function membersOf(
  { body: template }: InterfaceCall,
  given: PlaceholderValues | undefined,
  { values, asked }: { values: PlaceholderValues; asked: ReadonlySet<string> },
): PlaceholderValues | undefined {
  const fields = withUsername(template, given);
  const names = placeholderNames(template);
  if (template === undefined || (names.some(isFieldName) && fields === undefined)) return fields;
  // The body of a call that takes fields is made of them.
  if (names.some(isFieldName) && isIdentityTemplate(template)) {
    const taken = ([name]: [string, unknown]) => !isFieldName(name) || asked.has(name) || names.includes(name);
    return Object.fromEntries(Object.entries(fields ?? {}).filter(taken));
  }
  const filled = fillTemplate(template, { ...values, ...fields });
  const others = Object.entries(fields ?? {}).filter(([name]) => !isFieldName(name));
  return { ...(isRecord(filled) ? filled : {}), ...Object.fromEntries(others) };
}
