import { isRecord, type PlainJson } from '../../interface/template.ts';

/** A value in source code. A part that is only known at run time is a variable. */
export type Literal = PlainJson | CodeCall | undefined;
/** A call in source code, with its literal arguments. */
export class CodeCall {
  readonly name: string;
  readonly args: readonly Literal[];
  readonly named: Readonly<Record<string, Literal>>;
  constructor(name: string, args: readonly Literal[], named: Readonly<Record<string, Literal>>) {
    this.name = name;
    this.args = args;
    this.named = named;
  }
}

const maxDepth = 30;
/** Tokens that are read of one text, in all attempts together. */
export const maxTokens = 300_000;
export type Budget = { left: number };

const token =
  /(?<skip>\s+|\/\/[^\n]*|\/\*[^]*?\*\/|#[^\n]*)|(?<prefix>[fFrRbBuU]{0,2})(?:"""(?<long>[^]*?)"""|'''(?<longer>[^]*?)'''|"(?<double>[^"\\\n]*(?:\\[^][^"\\\n]*)*)"|'(?<single>[^'\\\n]*(?:\\[^][^'\\\n]*)*)')|`(?<template>[^`\\]*(?:\\[^][^`\\]*)*)`|(?<number>-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>[A-Za-z_$][\w$]*(?:\s*\??\.\s*[A-Za-z_$][\w$]*)*)|(?<sign>\?\.|=>|\*\*|\.\.\.|\|\||&&|\?\?|[^])/y;

type Token = { sign?: string; word?: string; value?: Literal; at: number };

const constants: Readonly<Record<string, PlainJson>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  null: null,
  None: null,
};

/** Parses literals of JavaScript and Python. Nothing is run, and anything else is skipped. */
export class LiteralParser {
  readonly #text: string;
  readonly #values: ReadonlyMap<string, Literal>;
  readonly #budget: Budget;
  #at: number;
  #next: Token | undefined;

  constructor(text: string, at: number, values: ReadonlyMap<string, Literal>, budget: Budget) {
    this.#text = text;
    this.#at = at;
    this.#values = values;
    this.#budget = budget;
  }

  get at(): number {
    return this.#next?.at ?? this.#at;
  }

  #peek(): Token | undefined {
    while (this.#next === undefined && this.#at < this.#text.length && this.#budget.left > 0) {
      this.#budget.left -= 1;
      token.lastIndex = this.#at;
      const at = this.#at;
      const found = token.exec(this.#text)?.groups ?? {};
      this.#at = token.lastIndex > at ? token.lastIndex : at + 1;
      if (found['skip'] !== undefined) continue;
      this.#next = { ...this.#tokenOf(found), at };
    }
    return this.#next;
  }

  #take(): Token | undefined {
    const taken = this.#peek();
    this.#next = undefined;
    return taken;
  }

  #tokenOf(found: Partial<Record<string, string>>): Omit<Token, 'at'> {
    const { template, number, word, sign, prefix = '' } = found;
    if (word !== undefined) return { word: word.replaceAll(/\s|\?/g, '') };
    if (sign !== undefined) return { sign };
    if (number !== undefined) return { value: Number(number.replaceAll('_', '')) };
    if (template !== undefined) return { value: this.#interpolate(unescaped(template), /\$\{([^{}]*)\}/g) };
    const text = found['long'] ?? found['longer'] ?? found['double'] ?? found['single'] ?? '';
    const plain = /r/i.test(prefix) ? text : unescaped(text);
    return { value: /f/i.test(prefix) ? this.#interpolate(plain, /\{([^{}]*)\}/g) : plain };
  }

  #interpolate = (text: string, placeholders: RegExp): string =>
    text.replaceAll(placeholders, (_, expression: string) => this.#textOf(this.#valueOf(expression.trim())));

  #textOf = (value: Literal): string =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : '{{value}}';

  /** The value of a name, or a variable: `process.env.API_URL` is `{{API_URL}}`. */
  #valueOf(name: string): Literal {
    if (Object.hasOwn(constants, name)) return constants[name];
    if (name === 'undefined') return undefined;
    const known = this.#values.get(name) ?? this.#memberOf(name);
    if (known !== undefined) return known;
    const last = /([A-Za-z_]\w{0,60})\W*$/.exec(name.replaceAll(/\(.*$/g, ''))?.[1];
    return `{{${last ?? 'value'}}}`;
  }

  #memberOf(name: string): Literal {
    const [first = '', ...path] = name.split('.');
    let value = this.#values.get(first);
    if (path.length === 0) return undefined;
    for (const each of path) value = isPlainObject(value) && Object.hasOwn(value, each) ? value[each] : undefined;
    return value;
  }

  /** A value, with those that are concatenated to it. */
  value(depth = 0): Literal {
    if (depth > maxDepth) {
      this.#take();
      return undefined;
    }
    let value = this.#operand(depth);
    for (;;) {
      const next = this.#peek();
      if (next?.sign === '+') {
        this.#take();
        const other = this.#operand(depth + 1);
        value = this.#textOf(value) + this.#textOf(other);
      } else if (typeof next?.value === 'string' && typeof value === 'string') {
        this.#take();
        value += next.value;
      } else if (next?.sign === '||' || next?.sign === '??' || next?.word === 'as') {
        this.#take();
        const other = this.#operand(depth + 1);
        // The default of a variable without a value.
        if (next.word !== 'as' && typeof value === 'string' && /^\{\{[^{}]*\}\}$/.test(value)) value = other ?? value;
      } else return value;
    }
  }

  /** Parses the arguments of a call that begin here. */
  call(name: string): CodeCall {
    const { args, named } = this.#list(')', 0);
    return new CodeCall(name, args, named);
  }

  #operand(depth: number): Literal {
    const first = this.#take();
    if (first === undefined) return undefined;
    if (first.sign === '{') return this.#members(depth);
    if (first.sign === '[')
      return this.#list(']', depth).args.flatMap((each) =>
        each === undefined || each instanceof CodeCall ? [] : [each],
      );
    if (first.sign === '(') return this.#list(')', depth).args[0];
    if (first.word === undefined) return first.value;
    if (/^(?:new|await|return)$/.test(first.word)) return this.#operand(depth + 1);
    const opened = this.#peek();
    if (opened?.sign !== '(') return this.#valueOf(first.word);
    this.#take();
    const { args, named } = this.#list(')', depth);
    return this.#evaluate(first.word, args, named);
  }

  /** The result of a well-known function: JSON, the fields of a form, a default. */
  #evaluate(name: string, args: readonly Literal[], named: Readonly<Record<string, Literal>>): Literal {
    if (/^(?:qs|querystring|querystring\.default)\.stringify$|(?:^|\.)(?:URLSearchParams|urlencode)$/.test(name)) {
      return isPlainObject(args[0]) ? formOf(args[0]) : typeof args[0] === 'string' ? args[0] : '';
    }
    if (/(?:^|\.)(?:stringify|dumps)$/.test(name) && isPlainObject(args[0])) return JSON.stringify(args[0]);
    if (/(?:^|\.)(?:getenv|environ\.get)$/.test(name) && typeof args[0] === 'string') {
      return typeof args[1] === 'string' ? args[1] : `{{${args[0]}}}`;
    }
    if (/^(?:Headers|FormData|Object\.assign|dict)$/.test(name))
      return isPlainObject(args[0]) ? args[0] : withoutCalls(named);
    if (name.endsWith('.toString') || name.endsWith('.strip')) return this.#valueOf(name.replace(/\.\w+$/, ''));
    return new CodeCall(name, args, named);
  }

  #list(closing: string, depth: number): { args: Literal[]; named: Record<string, Literal> } {
    const args: Literal[] = [];
    const named: Record<string, Literal> = {};
    while (this.#peek() !== undefined) {
      const next = this.#peek();
      if (next?.sign === closing) {
        this.#take();
        break;
      }
      if (next?.sign === ',') {
        this.#take();
        continue;
      }
      const at = this.at;
      const name = next?.word;
      const isNamed =
        name !== undefined && /^\s*=(?![=>])/.test(this.#text.slice(at + name.length, at + name.length + 20));
      if (isNamed) {
        this.#take();
        this.#take();
        if (name !== '__proto__') named[name] = this.value(depth + 1);
      } else args.push(this.value(depth + 1));
      this.#skipTo([',', closing], depth);
    }
    return { args, named };
  }

  #members(depth: number): PlainJson {
    const members: [string, PlainJson][] = [];
    while (this.#peek() !== undefined) {
      const key = this.#take();
      if (key?.sign === '}') break;
      if (key?.sign === ',') continue;
      const name = key?.word ?? (typeof key?.value === 'object' ? undefined : key?.value);
      const next = this.#peek();
      if (name !== undefined && next?.sign === ':') {
        this.#take();
        const value = this.value(depth + 1);
        const plain = value instanceof CodeCall ? `{{${/\w+$/.exec(value.name)?.[0] ?? 'value'}}}` : value;
        if (plain !== undefined) members.push([String(name), plain]);
      } else if (key?.word !== undefined && (next?.sign === ',' || next?.sign === '}')) {
        const value = this.#valueOf(key.word);
        if (value !== undefined && !(value instanceof CodeCall)) members.push([key.word, value]);
      }
      this.#skipTo([',', '}'], depth);
    }
    return Object.fromEntries(members);
  }

  /** Skips to the next of these signs at this depth. */
  #skipTo(signs: readonly string[], depth: number): void {
    for (let next = this.#peek(); next !== undefined && !signs.includes(next.sign ?? ''); next = this.#peek()) {
      if (['(', '[', '{'].includes(next.sign ?? '')) this.#operand(depth + 1);
      else this.#take();
    }
  }
}

const withoutCalls = (members: Readonly<Record<string, Literal>>): PlainJson =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, each]) =>
      each === undefined || each instanceof CodeCall ? [] : [[name, each] as const],
    ),
  );

export const isPlainObject = (value: Literal): value is { [name: string]: PlainJson } =>
  !(value instanceof CodeCall) && isRecord(value);

const formOf = (fields: { [name: string]: PlainJson }): string =>
  new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [
      name,
      typeof value === 'object' ? '' : String(value),
    ]),
  ).toString();

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '\n': '' };
const unescaped = (text: string): string =>
  text.replaceAll(
    /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|([^]))/gi,
    (_, long?: string, short?: string, hex?: string, sign = '') => {
      const code = Number.parseInt(long ?? short ?? hex ?? '', 16);
      if (Number.isNaN(code)) return escapes[sign] ?? sign;
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
    },
  );
