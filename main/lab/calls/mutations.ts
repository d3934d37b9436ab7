import { applyEdits, modify } from 'jsonc-parser';
import { z } from 'zod';
import type { BodyField, NamedChange, RedactedText } from '../../../preload/contract/calls.ts';
import type { Operation } from '../../../preload/contract/names.ts';
import type { Header } from '../../client/kept/commands.ts';

/** A recorded request as it is sent again, with references where its secrets were. */
export type ReplayRequest = { method: string; url: RedactedText; headers: readonly Header[]; body?: RedactedText };

type Mutation = {
  /** Says whether the change would alter this request, and make of it what its name says. */
  applies: (request: ReplayRequest, operation: Operation | undefined) => boolean;
  apply: (request: ReplayRequest) => ReplayRequest;
};

type PlainChange = Exclude<NamedChange, { sessionId: string } | { field: BodyField }>['change'];

const JsonObject = z.record(z.string(), z.unknown());

const fields: readonly BodyField[] = ['name', 'email', 'password', 'cpassword'];

/** The number is too short to be looked for in what is recorded. As a password it is a secret like any other. */
const someNumber = 12345;

const headerOf = ({ headers }: ReplayRequest, wanted: string): Header | undefined =>
  headers.find(({ name }) => name.toLowerCase() === wanted);

const without = (request: ReplayRequest, unwanted: string): ReplayRequest => ({
  ...request,
  headers: request.headers.filter(({ name }) => name.toLowerCase() !== unwanted),
});

const withValue = (
  request: ReplayRequest,
  of: string,
  change: (value: RedactedText) => RedactedText,
): ReplayRequest => ({
  ...request,
  headers: request.headers.map((header) =>
    header.name.toLowerCase() === of ? { ...header, value: change(header.value) } : header,
  ),
});

const hasToken = (request: ReplayRequest): boolean =>
  headerOf(request, 'authorization')?.value.some((part) => typeof part !== 'string') ?? false;

const startsWithBearer = (part: RedactedText[number]): part is string =>
  typeof part === 'string' && part.startsWith('Bearer ');

const hasField = ({ body }: ReplayRequest, field: BodyField): boolean => {
  const value = body && jsonObjectOf(body);
  return value !== undefined && Object.hasOwn(value, field);
};

/** Puts a value at a field of a JSON body; without a value the field goes. Nothing else of the text changes. */
const withField = (request: ReplayRequest, field: BodyField, value: unknown): ReplayRequest => ({
  ...request,
  ...(request.body && {
    body: editedText(request.body, (text) => applyEdits(text, modify(text, [field], value, {}))),
  }),
});

const plain: Record<PlainChange, Mutation> = {
  'without-accept': {
    applies: (request) => headerOf(request, 'accept') !== undefined,
    apply: (request) => without(request, 'accept'),
  },
  'wrong-content-type': {
    applies: (request) => headerOf(request, 'content-type') !== undefined,
    apply: (request) => withValue(request, 'content-type', () => ['text/plain']),
  },
  'no-token': {
    applies: (request) => headerOf(request, 'authorization') !== undefined,
    apply: (request) => without(request, 'authorization'),
  },
  'broken-token': {
    applies: hasToken,
    apply: (request) => withValue(request, 'authorization', (value) => [...value, 'x']),
  },
  'lower-case-bearer': {
    applies: (request) => headerOf(request, 'authorization')?.value.some(startsWithBearer) ?? false,
    apply: (request) =>
      withValue(request, 'authorization', (value) =>
        value.map((part) => (startsWithBearer(part) ? part.replace('Bearer', 'bearer') : part)),
      ),
  },
  'malformed-json': {
    applies: ({ body }) => body !== undefined && jsonObjectOf(body) !== undefined,
    apply: (request) => ({
      ...request,
      // This is all but the brace at the end.
      ...(request.body && { body: editedText(request.body, (text) => text.trimEnd().slice(0, -1)) }),
    }),
  },
  'cpassword-differs': {
    applies: ({ body }) => typeof (body && jsonObjectOf(body))?.['cpassword'] === 'string',
    apply: (request) => ({
      ...request,
      ...(request.body && {
        body: editedText(request.body, (text) =>
          applyEdits(text, modify(text, ['cpassword'], `${String(fieldsOf(text)?.['cpassword'])}x`, {})),
        ),
      }),
    }),
  },
  'body-on-profile': {
    applies: ({ body }, operation) => operation === 'perfil' && body === undefined,
    apply: (request) => ({
      ...request,
      headers: [...request.headers, { name: 'Content-Type', value: ['application/json'] }],
      body: ['{}'],
    }),
  },
};

function mutationOf(change: NamedChange): Mutation {
  if ('sessionId' in change) {
    return {
      applies: hasToken,
      // The reference of a session's token has the id of the session.
      apply: (request) =>
        withValue(request, 'authorization', () => ['Bearer ', { secret: 'token', id: change.sessionId }]),
    };
  }
  if ('field' in change) {
    const { field } = change;
    return {
      applies: (request) => hasField(request, field),
      apply: (request) => withField(request, field, change.change === 'field-missing' ? undefined : someNumber),
    };
  }
  return plain[change.change];
}

/** Returns the request with one change; undefined when this request cannot have the change. */
export function changed(
  request: ReplayRequest,
  operation: Operation | undefined,
  change: NamedChange,
): ReplayRequest | undefined {
  const mutation = mutationOf(change);
  return mutation.applies(request, operation) ? mutation.apply(request) : undefined;
}

/**
 * Every change that a request can have, in the order in which they are offered: headers, token, body.
 * @param sessionIds sessions whose token may be sent where it goes
 */
export function changesFor(
  request: ReplayRequest,
  operation: Operation | undefined,
  sessionIds: readonly string[],
): NamedChange[] {
  const all: NamedChange[] = [
    { change: 'without-accept' },
    { change: 'wrong-content-type' },
    { change: 'no-token' },
    { change: 'broken-token' },
    { change: 'lower-case-bearer' },
    ...sessionIds.map((sessionId) => ({ change: 'other-token', sessionId }) as const),
    { change: 'malformed-json' },
    { change: 'body-on-profile' },
    ...fields.map((field) => ({ change: 'field-missing', field }) as const),
    ...fields.map((field) => ({ change: 'field-number', field }) as const),
    { change: 'cpassword-differs' },
  ];
  return all.filter((change) => mutationOf(change).applies(request, operation));
}

/**
 * Changes a text as if its secrets were in it. Meanwhile digits stand for each secret that are nowhere else in the
 * text: they can be a number, and can stand within quotes.
 */
function editedText(text: RedactedText, edit: (plain: string) => string): RedactedText {
  const references = text.filter((part) => typeof part !== 'string');
  const { whole, mark } = written(text);
  return edit(whole)
    .split(new RegExp(`${mark}(\\d{6})`))
    .flatMap((part, index): RedactedText => {
      if (index % 2 === 0) return part === '' ? [] : [part];
      const reference = references[Number(part)];
      return reference ? [reference] : [];
    });
}

function written(text: RedactedText): { whole: string; mark: string } {
  const strings = text.filter((part) => typeof part === 'string');
  // The mark begins with its only 7, so that no text before it can be taken for a part of it.
  let mark = '71';
  while (strings.some((part) => part.includes(mark))) mark += '1';
  let count = 0;
  const whole = text
    .map((part) => {
      if (typeof part === 'string') return part;
      count += 1;
      return mark + String(count - 1).padStart(6, '0');
    })
    .join('');
  return { whole, mark };
}

const jsonObjectOf = (text: RedactedText): Record<string, unknown> | undefined => fieldsOf(written(text).whole);

function fieldsOf(text: string): Record<string, unknown> | undefined {
  try {
    return JsonObject.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
