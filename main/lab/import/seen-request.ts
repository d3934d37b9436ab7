import type { InterfaceDescription } from '../../../preload/contract/interface.ts';
import { isRecord, parseJson, textOf, type PlainJson } from '../../interface/template.ts';

export type Security = InterfaceDescription['security'];
export type Pair = readonly [name: string, value: string];
export type SeenAnswer = { status: number; headers: readonly Pair[]; body: string };
export type Variables = Readonly<Record<string, string>>;

/** A request as a command or a file shows it, whatever its format. It holds secrets, and stays in the worker. */
export type SeenRequest = {
  method: string;
  /** Absolute, or from the path on where the address is a variable that has no value. */
  url: string;
  name?: string | undefined;
  headers: readonly Pair[];
  body?: Readonly<Record<string, PlainJson>> | undefined;
  encoding?: 'json' | 'form' | undefined;
  security?: Security | undefined;
  answers: readonly SeenAnswer[];
};

type Raw = Partial<Pick<SeenRequest, 'name' | 'headers' | 'security' | 'answers'>> & {
  method?: string | undefined;
  url: string;
  /** The body as it is sent. */
  text?: string | undefined;
  /** The fields of a form. */
  pairs?: readonly Pair[] | undefined;
};

/** Makes a request of what a format has of it. */
export function seenRequest(raw: Raw, variables: Variables = {}): SeenRequest {
  const fill = (text: string) => fillVariables(text, variables);
  const headers = (raw.headers ?? []).map(([name, value]): Pair => [name, fill(value)]);
  const text = raw.text === undefined || raw.text.trim() === '' ? undefined : raw.text;
  const fields = raw.pairs?.map(([name, value]): Pair => [name, fill(value)]);
  const read = fields ? { body: Object.fromEntries(fields), encoding: 'form' as const } : bodyOf(text, fill);
  return {
    method: (raw.method ?? (read ? 'POST' : 'GET')).toUpperCase(),
    url: fill(raw.url).trim(),
    name: raw.name,
    headers,
    ...read,
    security: raw.security,
    answers: raw.answers ?? [],
  };
}

/** Reads a body by what it is and not by its header, which many collections have wrong. */
function bodyOf(text: string | undefined, fill: (text: string) => string): Pick<SeenRequest, 'body' | 'encoding'> {
  if (text === undefined) return {};
  // In a collection a variable may stand without quotes where a value is.
  const json = parseJson(text) ?? parseJson(text.replace(/(:\s*)(\{\{[^{}"]{1,100}\}\})/g, '$1"$2"'));
  if (isRecord(json)) return { body: filled(json, fill), encoding: 'json' };
  if (json !== undefined || !/^[^\s{}<>]+=/.test(text.trim())) return {};
  const body = Object.fromEntries([...new URLSearchParams(text.trim())].map(([name, value]) => [name, fill(value)]));
  return { body, encoding: 'form' };
}

function filled(json: { [name: string]: PlainJson }, fill: (text: string) => string): { [name: string]: PlainJson } {
  const each = (value: PlainJson): PlainJson =>
    typeof value === 'string' ? fill(value) : isRecord(value) ? filled(value, fill) : value;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, each(value)]));
}

const longestFilled = 10_000;

/** Puts the values of a collection's variables in their places; one without a value stays as it is. */
function fillVariables(text: string, variables: Variables): string {
  let now = text;
  // A value may name another variable, and itself.
  for (let round = 0; round < 3 && now.includes('{{') && now.length < longestFilled; round += 1) {
    now = now.replaceAll(/\{\{\s*(?:_\.)?([\w.-]{1,100})\s*\}\}/g, (whole, name: string) =>
      Object.hasOwn(variables, name) ? (variables[name] ?? whole) : whole,
    );
  }
  return now;
}

/** What lies under names of objects, own members alone. */
export function at(value: PlainJson | undefined, ...path: readonly string[]): PlainJson | undefined {
  return path.reduce<PlainJson | undefined>(
    (now, name) => (isRecord(now) && Object.hasOwn(now, name) ? now[name] : undefined),
    value,
  );
}

/** The text under a name, if there is one. */
export function textAt(value: PlainJson | undefined, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return found === undefined || found === null || typeof found === 'object' ? undefined : textOf(found);
}

export function listAt(value: PlainJson | undefined, ...path: readonly string[]): readonly PlainJson[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Names and values of a list of headers, fields or variables, in the words of every format, without disabled ones. */
export function pairsOf(list: readonly PlainJson[]): Pair[] {
  return list.flatMap((each): Pair[] => {
    const name = textAt(each, 'name') ?? textAt(each, 'key');
    const isOff = at(each, 'disabled') === true || at(each, 'enabled') === false;
    return name === undefined || isOff ? [] : [[name, textAt(each, 'value') ?? '']];
  });
}

/** What a collection says of the credential of a request, by the words of Postman, Insomnia, Bruno and OpenCollection. */
export function securityOf(kind: string | undefined, say: (name: string) => string | undefined): Security | undefined {
  if (kind === 'bearer' || kind === 'oauth2') {
    const scheme = say('prefix') ?? say('headerPrefix') ?? '';
    return { type: 'http', scheme: /^[\w-]{1,50}$/.test(scheme) ? scheme : 'Bearer' };
  }
  const name = say('key');
  if (kind !== 'apikey' || name === undefined || name === '') return undefined;
  const place = say('addTo') ?? say('in') ?? say('placement') ?? 'header';
  if (/query/i.test(place)) return undefined;
  return { type: 'apiKey', in: /cookie/i.test(place) ? 'cookie' : 'header', name };
}
