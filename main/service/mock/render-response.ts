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

/** What the places of an answer are filled from. What a situation has not is absent. */
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
  /** Makes random characters. */
  random: (of: Alphabet, count: number) => string;
};

/** An answer of more characters is not made: a run keeps a quarter of it. */
const mostCharacters = 256 * 1024;

class AnswerTooLarge extends Error {
  readonly code = 'LLAVERO_ANSWER_TOO_LARGE';
}

/** Takes pieces of an answer until they are too long in all. */
function createRoom(): (piece: string) => string {
  let left = mostCharacters;
  return (piece) => {
    left -= piece.length;
    if (left < 0) throw new AnswerTooLarge();
    return piece;
  };
}

/** An answer that is ready to be sent. */
export type RenderedResponse = { status: number; headers: [name: string, value: string][]; text: string };

/** Writes some digits of a moment in the base of an alphabet. */
function digitsOfMoment({ moment, of, digits, from, count }: Extract<Segment, { moment: string }>, ms: number): string {
  const signs = alphabets[of];
  let left = Math.max(0, Math.floor(moment === 'ms' ? ms : ms / 1000));
  let text = '';
  for (; text.length < digits; left = Math.floor(left / signs.length)) text = (signs[left % signs.length] ?? '') + text;
  return text.slice(from, from + count);
}

/** Makes a text of its parts, of characters that somebody draws and of a moment in milliseconds since 1970. */
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

/** Writes a moment in one of the forms that servers have for them. */
function writeTime(ms: number, form: TimeForm): string | number {
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

/** Returns the value of one place. */
function valueOf(place: Placeholder, filling: TemplateValues): unknown {
  const { account } = filling;
  switch (place.place) {
    case 'token':
      return filling.token ?? '';
    case 'token-number': {
      const number = tokenNumberOf(filling.token) ?? '0';
      return place.isText ? number : Number(number);
    }
    case 'lifetime':
      return Math.floor((filling.lifetimeSeconds ?? 0) * perUnit[place.unit]);
    case 'id': {
      const id = account?.id ?? 0;
      if (place.form.kind === 'made-up')
        return renderSegments(place.form.segments, createSeededDraw(`account ${id}`), account?.createdAtMs ?? 0);
      if (place.form.kind === 'number') {
        const { digits } = place.form;
        return digits === undefined ? id : longNumber(createSeededDraw(`account ${id}`)('digits', digits));
      }
      return String(id).padStart(place.form.width ?? 1, '0');
    }
    case 'name':
      return inLetters(account?.name ?? '', place.letters);
    case 'first-name':
      return (account?.name ?? '').split(' ', 1)[0] ?? '';
    case 'rest-of-name':
      return (account?.name ?? '').split(' ').slice(1).join(' ');
    case 'email':
      return inCode(inLetters(account?.email ?? '', place.letters), place.code);
    case 'username':
      return inLetters(filling.username ?? account?.email ?? '', place.letters);
    case 'time':
      return writeTime(momentOf(place.of, filling), place.form);
    case 'sent':
      return sentField(filling.sent, place.field);
    case 'sent-body':
      return filling.sent ?? null;
    case 'random':
      return renderSegments(place.segments, filling.random, filling.nowMs);
    case 'random-number':
      return longNumber(filling.random('digits', place.digits));
    case 'serial':
      return filling.serial ?? 1;
    case 'path':
      return filling.path;
    case 'method':
      return filling.method;
    case 'wait':
      return filling.waitSeconds ?? 0;
    default:
      return place satisfies never;
  }
}

const inText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Fills a text. */
export const renderText = (parts: TextTemplate, filling: TemplateValues, take = createRoom()): string =>
  parts.map((part) => take(typeof part === 'string' ? part : inText(valueOf(part, filling)))).join('');

/** Writes a template as JSON. It is written and never built, so that no name of a field can do anything. */
export function renderJson(template: Template, filling: TemplateValues, take = createRoom()): string {
  if ('constant' in template) return take(JSON.stringify(template.constant));
  if ('number' in template) return take(template.number);
  if ('value' in template) return take(JSON.stringify(valueOf(template.value, filling)) ?? 'null');
  if ('text' in template) return JSON.stringify(renderText(template.text, filling, take));
  if ('list' in template) return `[${template.list.map((each) => renderJson(each, filling, take)).join(',')}]`;
  const fields = template.fields.map(
    ([name, each]) =>
      `${take(JSON.stringify(typeof name === 'string' ? name : renderText(name, filling)))}:${renderJson(each, filling, take)}`,
  );
  return `{${fields.join(',')}}`;
}

/** Fills an answer. */
export function renderResponse(
  { status, headers, body }: Pick<MockResponse, 'status' | 'headers' | 'body'>,
  filling: TemplateValues,
): RenderedResponse {
  const take = createRoom();
  return {
    status,
    headers: headers.map(([name, text]) => [name, renderText(text, filling, take).replaceAll(/[^\t\x20-\x7E]/g, '')]),
    text:
      body.kind === 'empty'
        ? ''
        : body.kind === 'json'
          ? take(body.before ?? '') + renderJson(body.template, filling, take)
          : renderText(body.text, filling, take),
  };
}

/** Says whether an answer has a place of this name anywhere in its headers or its body. */
export function hasPlaceholder(
  { headers, body }: Pick<MockResponse, 'headers' | 'body'>,
  name: Placeholder['place'],
): boolean {
  const inParts = (parts: TextTemplate): boolean =>
    parts.some((part) => typeof part !== 'string' && part.place === name);
  const within = (template: Template): boolean => {
    if ('value' in template) return template.value.place === name;
    if ('text' in template) return inParts(template.text);
    if ('list' in template) return template.list.some(within);
    return 'fields' in template && template.fields.some(([, each]) => within(each));
  };
  if (headers.some(([, parts]) => inParts(parts))) return true;
  return body.kind === 'json' ? within(body.template) : body.kind === 'text' && inParts(body.text);
}
