import type { PlainJson } from '../../interface/template.ts';
import { isRecord } from '../../interface/template.ts';
import {
  formFields,
  importRequest,
  cookieJarPlaceholder,
  tokenScheme,
  withScheme,
  type ImportedRequest,
} from './imported-request.ts';

type Value = PlainJson | undefined;

const token =
  /(?<skip>[^\S\n]+|`[^\S\n]*\n|#[^\n]*|<#[^]*?#>)|(?<line>[\n;])|@'\n(?<rawHere>[^]*?)\n'@|@"\n(?<here>[^]*?)\n"@|'(?<single>(?:[^']|'')*)'|"(?<double>(?:[^"`]|`[^]|"")*)"|(?<open>@\{|@\(|\$\(|[({[])|(?<close>[)}\]])|\$(?:env:|script:|global:)?(?<variable>[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)*)|@(?<splat>[A-Za-z_]\w*)|-(?<option>[A-Za-z]\w*):?|(?<pipe>\|)|(?<sign>[=,])|(?<word>[^\s;(){}[\]|,='"`]+)|(?<other>[^])/y;

type Token = Partial<Record<string, string>>;

const command = /\b(?:Invoke-RestMethod|Invoke-WebRequest|iwr|irm)\b/gi;
const assigned = /^[^\S\n]*(?:PS[^>\n]{0,100}>[^\S\n]*)?\$(?:env:|script:|global:)?([A-Za-z_]\w{0,60})[^\S\n]*=(?!=)/gm;
const cookie = /\bNet\.Cookie\([^\S\n]*["']([\w.-]{1,100})["'][^\S\n]*,[^\S\n]*["']/g;
const maxDepth = 20;
const maxTokens = 300_000;

/** Reads PowerShell's requests, also those that browsers copy. Nothing is run, and no file is opened. */
export function readPowerShell(text: string, texts: Map<string, string>): ImportedRequest[] {
  return new PowerShellParser(text, texts).requests();
}

class PowerShellParser {
  readonly #text: string;
  readonly #values: Map<string, Value>;
  readonly #texts: Map<string, string>;
  #at = 0;
  #tokenCount = 0;

  constructor(text: string, texts: Map<string, string>) {
    this.#text = text;
    this.#texts = texts;
    this.#values = new Map(texts);
  }

  requests(): ImportedRequest[] {
    const starts = [
      ...[...this.#text.matchAll(assigned)].map((each) => ({ at: each.index + each[0].length, name: each[1] })),
      ...[...this.#text.matchAll(command)].map((each) => ({ at: each.index + each[0].length, name: undefined })),
    ].toSorted((one, other) => one.at - other.at);
    // "Copy as PowerShell" of browsers puts each cookie into the session.
    const cookies = [...this.#text.matchAll(cookie)].map(([, name = '']) => `${name}=`).join('; ');
    return starts.flatMap(({ at, name }) => {
      this.#at = at;
      if (name === undefined) return this.#request(cookies);
      const value = this.#expression(0);
      this.#values.set(name, value);
      if (typeof value === 'string' && !value.includes('{{')) this.#texts.set(name, value);
      return [];
    });
  }

  #take(): Token | undefined {
    while (this.#at < this.#text.length && this.#tokenCount < maxTokens) {
      this.#tokenCount += 1;
      token.lastIndex = this.#at;
      const found = token.exec(this.#text)?.groups ?? {};
      this.#at = token.lastIndex > this.#at ? token.lastIndex : this.#at + 1;
      if (found['skip'] === undefined) return found;
    }
    return undefined;
  }

  #peek(): Token | undefined {
    const at = this.#at;
    const next = this.#take();
    this.#at = at;
    return next;
  }

  /** A value with its pipeline: `@{…} | ConvertTo-Json` is JSON. */
  #expression(depth: number): Value {
    let value = this.#operand(this.#take(), depth);
    for (;;) {
      const next = this.#peek();
      if (next?.['other'] === '+' || next?.['word'] === '+') {
        this.#take();
        value = textIn(value) + textIn(this.#operand(this.#take(), depth + 1));
      } else if (next?.['pipe'] !== undefined) {
        this.#take();
        const name = this.#take()?.['word'] ?? '';
        if (/^ConvertTo-Json$/i.test(name) && isRecord(value)) value = JSON.stringify(value);
        for (let rest = this.#peek(); rest?.['option'] ?? rest?.['word']; rest = this.#peek()) this.#take();
      } else return value;
    }
  }

  #operand(first: Token | undefined, depth: number): Value {
    if (first === undefined || depth > maxDepth) return undefined;
    const { single, double, here, rawHere, variable, word, open } = first;
    if (single !== undefined) return single.replaceAll("''", "'");
    if (rawHere !== undefined) return rawHere;
    if (double !== undefined || here !== undefined) return this.#interpolate(double ?? here ?? '');
    if (variable !== undefined) return this.#valueOf(variable);
    if (open === '[') {
      // A type, such as `[ordered]`, before a value.
      for (let each = this.#take(); each !== undefined && each['close'] === undefined; each = this.#take());
      const next = this.#take();
      const [, member] = /^::([A-Za-z]\w*)/.exec(next?.['word'] ?? '') ?? [];
      if (member === undefined) return this.#operand(next, depth + 1);
      return this.#peek()?.['open'] === '(' ? this.#construct(member, depth) : `{{${member}}}`;
    }
    if (open === '@{' || open === '{') return this.#table(depth);
    if (open !== undefined) {
      const value = this.#expression(depth + 1);
      this.#close(depth);
      return value;
    }
    return word;
  }

  /** `[uri]::new($base, '/login')` is an address; any other value of a type is a variable. */
  #construct(member: string, depth: number): Value {
    this.#take();
    const parts: string[] = [];
    for (let next = this.#peek(); next !== undefined && next['close'] === undefined; next = this.#peek()) {
      if (next['sign'] === ',') this.#take();
      else parts.push(textIn(this.#expression(depth + 1)));
    }
    this.#take();
    for (let next = this.#peek(); next?.['word']?.startsWith('.'); next = this.#peek()) {
      this.#take();
      if (this.#peek()?.['open'] === '(') this.#operand(this.#take(), depth + 1);
    }
    const [base = '', path = ''] = parts;
    return member === 'new' && parts.length > 0
      ? base.replace(/\/+$/, path.startsWith('/') ? '' : '/') + path
      : `{{${member}}}`;
  }

  #close(depth: number): void {
    for (let each = this.#take(); each !== undefined && each['close'] === undefined; each = this.#take()) {
      if (each['open'] !== undefined && depth < maxDepth) this.#close(depth + 1);
    }
  }

  #table(depth: number): PlainJson {
    const members: [string, PlainJson][] = [];
    for (let key = this.#take(); key !== undefined && key['close'] === undefined; key = this.#take()) {
      const name = key['word'] ?? key['single'] ?? key['double'] ?? key['option'];
      if (name === undefined || this.#peek()?.['sign'] !== '=') continue;
      this.#take();
      const value = this.#expression(depth + 1);
      if (value !== undefined) members.push([name, value]);
    }
    return Object.fromEntries(members);
  }

  #interpolate = (text: string): string =>
    text
      .replaceAll(/`([^])|""/g, (_, sign?: string) =>
        sign === undefined ? '"' : ({ n: '\n', t: '\t', r: '' }[sign] ?? sign),
      )
      .replaceAll(
        /\$\(\$(?:env:)?([A-Za-z_]\w*)[^()]{0,100}\)|\$\{([A-Za-z_]\w*)\}|\$(?:env:)?([A-Za-z_]\w*)/g,
        (_, inner?: string, braced?: string, bare?: string) => textIn(this.#valueOf(inner ?? braced ?? bare ?? '')),
      );

  #valueOf(name: string): Value {
    if (/^(?:true|false)$/i.test(name)) return name.toLowerCase() === 'true';
    if (/^null$/i.test(name)) return undefined;
    return this.#values.get(name) ?? `{{${name.split('.').at(-1) ?? name}}}`;
  }

  #request(cookies: string): ImportedRequest[] {
    const parameters = new Map<string, Value>();
    let isEnd = false;
    while (!isEnd) {
      const next = this.#peek();
      if (
        next === undefined ||
        next['line'] !== undefined ||
        next['pipe'] !== undefined ||
        next['close'] !== undefined
      ) {
        isEnd = true;
      } else if (next['option'] !== undefined) {
        this.#take();
        const after = switches.test(next['option']) ? undefined : this.#peek();
        const hasValue =
          after !== undefined && ['option', 'line', 'pipe', 'close'].every((each) => after[each] === undefined);
        parameters.set(parameterOf(next['option']), hasValue ? this.#operand(this.#take(), 0) : true);
      } else if (next['splat'] !== undefined) {
        this.#take();
        const table = this.#values.get(next['splat']);
        for (const [name, value] of membersOf(table)) parameters.set(parameterOf(name), value);
      } else {
        const value = this.#operand(this.#take(), 0);
        if (!parameters.has('uri')) parameters.set('uri', value);
      }
    }
    return requestOf(parameters, cookies);
  }
}

/** Parameters without a value. */
const switches = /^(?:useb|skip|verb|disable|allow|preserve|res|pass|noprox|usedef)/i;

/** PowerShell accepts unambiguous abbreviations of parameters, in any case. */
const parameterOf = (name: string): string =>
  ['uri', 'method', 'headers', 'body', 'form', 'contenttype', 'websession', 'sessionvariable', 'authentication'].find(
    (each) => name.length > 2 && each.startsWith(name.toLowerCase()),
  ) ?? name.toLowerCase();

const membersOf = (value: Value): [string, PlainJson][] =>
  value !== undefined && isRecord(value) ? Object.entries(value) : [];

const textIn = (value: Value): string =>
  value === undefined || value === null || typeof value === 'object' ? '' : String(value);

function requestOf(parameters: ReadonlyMap<string, Value>, cookies: string): ImportedRequest[] {
  const url = textIn(parameters.get('uri'));
  if (!/^(?:https?:\/\/|\{\{|localhost\b|[\w-]+\.\w)/i.test(url)) return [];
  const table = parameters.get('headers');
  const headers = table !== undefined && isRecord(table) ? formFields(table) : [];
  const hasSession = parameters.has('websession') || parameters.has('sessionvariable');
  const body = parameters.get('form') ?? parameters.get('body');
  const scheme =
    tokenScheme({ headers }) ??
    (/^(?:bearer|oauth)$/i.test(textIn(parameters.get('authentication'))) ? 'Bearer' : undefined);
  if (hasSession && scheme === undefined) headers.push(cookies === '' ? cookieJarPlaceholder : ['Cookie', cookies]);
  return [
    importRequest({
      method: textIn(parameters.get('method')) || (body === undefined ? 'GET' : 'POST'),
      url: withScheme(url),
      headers,
      text: typeof body === 'string' ? body : undefined,
      form: body !== undefined && isRecord(body) ? formFields(body) : undefined,
      security: scheme === undefined ? undefined : { type: 'http', scheme },
    }),
  ];
}
