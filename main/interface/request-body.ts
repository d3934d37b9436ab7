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

/** How the fields of a call are encoded: `query` is percent-encoded in its URL. */
export type Encoding = NonNullable<InterfaceCall['encoding']>;

export const contentTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const;

export const isFormType = (contentType: string): boolean => contentType.toLowerCase().startsWith(contentTypes.form);

/** A body with JSON whitespace, or with a further field of a form or a query, up to so many bytes. */
export function padded(body: string | undefined, encoding: Encoding, bytes = 0): string | undefined {
  const missing = bytes - (body?.length ?? bytes);
  if (body === undefined || missing <= 0) return body;
  return encoding === 'json'
    ? `${body[0]}${' '.repeat(missing)}${body.slice(1)}`
    : `${body}&padding=${'x'.repeat(missing)}`;
}

/** The encoded fields of a call, for its body or its query; undefined if it has none. */
export function createBody(
  call: InterfaceCall,
  options: {
    fields: PlaceholderValues | string | undefined;
    values: PlaceholderValues;
    encoding: Encoding;
    known: ReadonlySet<string>;
    identifiers: Identifiers | undefined;
  },
): string | undefined {
  const { fields, values, encoding, known, identifiers } = options;
  if (typeof fields === 'string') return fields;
  const members = membersOf(call, fields, { values, known });
  const body = members && identifiers ? identifiers.withUsername(members, fields?.['username']) : members;
  return body && encodeBody(body, encoding);
}

/** Members as a body, or as the query of a URL. */
export function encodeBody(body: PlaceholderValues, encoding: Encoding): string {
  if (encoding === 'json') return JSON.stringify(body);
  const texts = Object.entries(body).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, toText(value)]],
  );
  return encoding === 'form'
    ? new URLSearchParams(texts).toString()
    : texts.map((pair) => pair.map(percentEncodeAll).join('=')).join('&');
}

/**
 * The members of a body. Fields that are not of a form are sent as they are. A form field that neither a registration of
 * the description nor this call has is left out: a strict server would refuse it.
 */
function membersOf(
  { body: template }: InterfaceCall,
  entered: PlaceholderValues | undefined,
  { values, known }: { values: PlaceholderValues; known: ReadonlySet<string> },
): PlaceholderValues | undefined {
  const fields = withUsername(template, entered);
  const names = placeholderNames(template);
  if (template === undefined || (names.some(isFieldName) && fields === undefined)) return fields;
  if (names.some(isFieldName) && isIdentityTemplate(template)) {
    const isSent = ([name]: [string, unknown]) => !isFieldName(name) || known.has(name) || names.includes(name);
    return Object.fromEntries(Object.entries(fields ?? {}).filter(isSent));
  }
  const filled = fillTemplate(template, { ...values, ...fields });
  const others = Object.entries(fields ?? {}).filter(([name]) => !isFieldName(name));
  return { ...(isRecord(filled) ? filled : {}), ...Object.fromEntries(others) };
}

/** The passwords among the fields of a form, as they were typed. */
export const passwordsIn = (fields: PlaceholderValues): string[] =>
  [fields['password'], fields['cpassword']].flatMap((value) =>
    value === undefined || value === null || value === '' ? [] : [toText(value)],
  );
