import { createHmac } from 'node:crypto';
import { emailEncoders } from './email-encoders.ts';
import type { AccountRecord } from '../stores/account-store.ts';
import {
  alphabets,
  tokenNumberOf,
  type Alphabet,
  type EmailEncoding,
  type MockResponse,
  type TimeSource,
  type Placeholder,
  type Segment,
  type Template,
  type TextTemplate,
  type TimeForm,
} from './mock-definition.ts';
import { formatByPattern } from './time-patterns.ts';

/** The values of the placeholders of an answer; absent where a scenario has none. */
export type TemplateValues = {
  nowMs: number;
  path: string;
  method: string;
  /** The body as it was sent, where it was JSON. */
  sent?: unknown;
  account?: AccountRecord | undefined;
  username?: string | undefined;
  token?: string | undefined;
  expiresAtMs?: number | undefined;
  lifetimeSeconds?: number | undefined;
  waitSeconds?: number | undefined;
  /** How many tokens there were, with this one. */
  serial?: number | undefined;
  /** By the names of outputs. */
  pendingLogin?: Readonly<Record<string, string>> | undefined;
  newFactor?: { secret: string; recoveryCodes: readonly string[] } | undefined;
  /** Makes random characters. */
  random: (of: Alphabet, count: number) => string;
};

/** More characters are not sent: the placeholders of a hostile mock file could fill memory. A run keeps a quarter. */
const mostCharacters = 256 * 1024;

class AnswerTooLarge extends Error {
  readonly code = 'LLAVERO_ANSWER_TOO_LARGE';
}

/** Counts the characters of an answer, and throws when there are too many. */
function createRoom(): (piece: string) => string {
  let left = mostCharacters;
  return (piece) => {
    left -= piece.length;
    if (left < 0) throw new AnswerTooLarge();
    return piece;
  };
}

type RenderedResponse = { status: number; headers: [name: string, value: string][]; text: string };

/** Writes some digits of a moment in the base of an alphabet. */
function digitsOfMoment({ moment, of, digits, from, count }: Extract<Segment, { moment: string }>, ms: number): string {
  const signs = alphabets[of];
  let left = Math.max(0, Math.floor(moment === 'ms' ? ms : ms / 1000));
  let text = '';
  for (; text.length < digits; left = Math.floor(left / signs.length)) text = (signs[left % signs.length] ?? '') + text;
  return text.slice(from, from + count);
}

/** @param ms the moment with which some segments begin, in milliseconds since 1970 */
export const renderSegments = (segments: readonly Segment[], draw: TemplateValues['random'], ms: number): string =>
  segments
    .map((each) =>
      'text' in each ? each.text : 'moment' in each ? digitsOfMoment(each, ms) : draw(each.of, each.count),
    )
    .join('');

/** Draws the same characters for the same seed each time. Where they are a secret, the key is one, too. */
export function createSeededDraw(seed: string, key = 'llavero-double'): TemplateValues['random'] {
  let drawn = 0;
  return (of, count) => {
    const signs = alphabets[of];
    let text = '';
    while (text.length < count) {
      drawn += 1;
      for (const byte of createHmac('sha256', key).update(`${seed} ${drawn}`).digest()) {
        text += signs[byte % signs.length] ?? '';
      }
    }
    return text.slice(0, count);
  };
}

function formatTime(ms: number, form: TimeForm): string | number {
  if (form.kind === 'epoch') {
    const seconds = form.digits === undefined ? Math.floor(ms / 1000) : Number((ms / 1000).toFixed(form.digits));
    const value = form.unit === 's' ? seconds : ms;
    return form.isText ? String(value) : value;
  }
  if (form.kind === 'http') return new Date(ms).toUTCString();
  if (form.kind === 'pattern') return formatByPattern(ms, form.pattern);
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)$/.exec(form.zone) ?? [];
  const offsetMs = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  const iso = new Date(ms + offsetMs).toISOString();
  const fraction = form.digits === 0 ? '' : `.${iso.slice(20, 23).padEnd(form.digits, '0').slice(0, form.digits)}`;
  return `${iso.slice(0, 10)}${form.separator}${iso.slice(11, 19)}${fraction}${form.zone}`;
}

const momentOf = (of: TimeSource, { nowMs, account, expiresAtMs, waitSeconds = 0 }: TemplateValues): number => {
  if (of === 'retry') return nowMs + waitSeconds * 1000;
  if (of === 'created') return account?.createdAtMs ?? nowMs;
  if (of === 'updated') return account?.updatedAtMs ?? nowMs;
  return of === 'expires' ? (expiresAtMs ?? nowMs) : nowMs;
};

const perUnit = { s: 1, min: 1 / 60, ms: 1000 } as const;

const inLetters = (text: string, letters: 'small' | 'capitals' | undefined): string =>
  letters === undefined ? text : letters === 'small' ? text.toLowerCase() : text.toUpperCase();

const inCode = (email: string, code: EmailEncoding | undefined): string =>
  code === undefined ? email : emailEncoders[code](email);

const sentField = (sent: unknown, field: string): unknown =>
  typeof sent === 'object' && sent !== null && Object.hasOwn(sent, field) ? Reflect.get(sent, field) : null;

/** Makes a number of digits, each of which JSON keeps. None begins with a nought. */
const longNumber = (digits: string): unknown => JSON.rawJSON(digits.replace(/^0/, '1'));

function valueOf(placeholder: Placeholder, values: TemplateValues): unknown {
  const { account } = values;
  switch (placeholder.place) {
    case 'token':
      return values.token ?? '';
    case 'token-number': {
      const number = tokenNumberOf(values.token) ?? '0';
      return placeholder.isText ? number : Number(number);
    }
    case 'lifetime':
      return Math.floor((values.lifetimeSeconds ?? 0) * perUnit[placeholder.unit]);
    case 'id': {
      const id = account?.id ?? 0;
      if (placeholder.form.kind === 'made-up')
        return renderSegments(placeholder.form.segments, createSeededDraw(`account ${id}`), account?.createdAtMs ?? 0);
      if (placeholder.form.kind === 'number') {
        const { digits } = placeholder.form;
        return digits === undefined ? id : longNumber(createSeededDraw(`account ${id}`)('digits', digits));
      }
      return String(id).padStart(placeholder.form.width ?? 1, '0');
    }
    case 'name':
      return inLetters(account?.name ?? '', placeholder.letters);
    case 'first-name':
      return (account?.name ?? '').split(' ', 1)[0] ?? '';
    case 'rest-of-name':
      return (account?.name ?? '').split(' ').slice(1).join(' ');
    case 'email':
      return inCode(inLetters(account?.email ?? '', placeholder.letters), placeholder.code);
    case 'username':
      return inLetters(values.username ?? account?.email ?? '', placeholder.letters);
    case 'time':
      return formatTime(momentOf(placeholder.of, values), placeholder.form);
    case 'sent':
      return sentField(values.sent, placeholder.field);
    case 'sent-body':
      return values.sent ?? null;
    case 'random':
      return renderSegments(placeholder.segments, values.random, values.nowMs);
    case 'random-number':
      return longNumber(values.random('digits', placeholder.digits));
    case 'serial':
      return values.serial ?? 1;
    case 'path':
      return values.path;
    case 'method':
      return values.method;
    case 'wait':
      return values.waitSeconds ?? 0;
    case 'pending-login':
      return values.pendingLogin?.[placeholder.output] ?? '';
    case 'factor-secret':
      return values.newFactor?.secret ?? '';
    case 'recovery-code':
      return values.newFactor?.recoveryCodes[placeholder.index] ?? '';
    default:
      return placeholder satisfies never;
  }
}

const inText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

export const renderText = (parts: TextTemplate, values: TemplateValues, take = createRoom()): string =>
  parts.map((part) => take(typeof part === 'string' ? part : inText(valueOf(part, values)))).join('');

/** JSON as text. No object is built, so that a field named `__proto__` does nothing. */
export function renderJson(template: Template, values: TemplateValues, take = createRoom()): string {
  if ('constant' in template) return take(JSON.stringify(template.constant));
  if ('number' in template) return take(template.number);
  if ('value' in template) return take(JSON.stringify(valueOf(template.value, values)) ?? 'null');
  if ('text' in template) return JSON.stringify(renderText(template.text, values, take));
  if ('list' in template) return `[${template.list.map((each) => renderJson(each, values, take)).join(',')}]`;
  const fields = template.fields.map(
    ([name, each]) =>
      `${take(JSON.stringify(typeof name === 'string' ? name : renderText(name, values)))}:${renderJson(each, values, take)}`,
  );
  return `{${fields.join(',')}}`;
}

export function renderResponse(
  { status, headers, body }: Pick<MockResponse, 'status' | 'headers' | 'body'>,
  values: TemplateValues,
): RenderedResponse {
  const take = createRoom();
  return {
    status,
    headers: headers.map(([name, text]) => [name, renderText(text, values, take).replaceAll(/[^\t\x20-\x7E]/g, '')]),
    text:
      body.kind === 'empty'
        ? ''
        : body.kind === 'json'
          ? take(body.before ?? '') + renderJson(body.template, values, take)
          : renderText(body.text, values, take),
  };
}

/** The placeholders in the headers and the body of an answer. */
export function placeholdersIn({ headers, body }: Pick<MockResponse, 'headers' | 'body'>): Placeholder[] {
  const inParts = (parts: TextTemplate): Placeholder[] => parts.filter((part) => typeof part !== 'string');
  const within = (template: Template): Placeholder[] => {
    if ('value' in template) return [template.value];
    if ('text' in template) return inParts(template.text);
    if ('list' in template) return template.list.flatMap(within);
    return 'fields' in template ? template.fields.flatMap(([, each]) => within(each)) : [];
  };
  const inBody = body.kind === 'json' ? within(body.template) : body.kind === 'text' ? inParts(body.text) : [];
  return [...headers.flatMap(([, parts]) => inParts(parts)), ...inBody];
}

/** Whether the headers or the body of an answer have a placeholder of this name. */
export const hasPlaceholder = (answer: Pick<MockResponse, 'headers' | 'body'>, name: Placeholder['place']): boolean =>
  placeholdersIn(answer).some(({ place }) => place === name);
