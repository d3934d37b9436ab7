/** Why a command is not read: it would run something, read a file, or has no end. */
export type CurlRefusal = 'substitution' | 'file' | 'here-document' | 'quote' | 'no-address' | 'powershell';

export class RefusedCommand extends Error {
  readonly why: CurlRefusal;
  constructor(why: CurlRefusal) {
    super(why);
    this.why = why;
  }
}

/** The escapes of `$'…'` (bash, 3.1.2.4). */
const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001B',
  E: '\u001B',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const ansiEscape = /\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|U([\da-f]{1,8})|([0-7]{1,3})|([^]))/gi;
const variable = /\$(?:\{([A-Za-z_]\w{0,99})\}|([A-Za-z_]\w{0,99}))/y;

/**
 * Splits commands of a shell into their words, and runs nothing: a variable whose value is not in the text becomes
 * `{{NAME}}`, and what would run a command or read a document is refused.
 * @param isWindows whether the quotes are those of `cmd`, where only `"` quotes and `$` is a letter
 */
export const shellCommands = (text: string, { isWindows = false } = {}): string[][] =>
  new ShellWords(text, isWindows).read();

class ShellWords {
  readonly #text: string;
  readonly #isWindows: boolean;
  readonly #values = new Map<string, string>();
  readonly #commands: string[][] = [];
  #words: string[] = [];
  #word: string | undefined;
  #at = 0;
  constructor(text: string, isWindows: boolean) {
    this.#text = text;
    this.#isWindows = isWindows;
  }

  read(): string[][] {
    while (this.#at < this.#text.length) this.#take();
    this.#endCommand();
    return this.#commands;
  }

  /** Takes what stands at the place, and goes on behind it. */
  #take(): void {
    const sign = this.#text[this.#at]!;
    if (sign === '"') return this.#takeDouble();
    if (sign === '<' || sign === '>') return this.#takeRedirection();
    if (sign === '$' && !(this.#text[this.#at + 1] === "'" && !this.#isWindows)) return this.#takeDollar();
    if (!this.#isWindows && /[\\'$`#]/.test(sign) && (sign !== '#' || this.#word === undefined)) {
      return this.#takeOfBash(sign);
    }
    if (/[;&|\n]/.test(sign)) this.#endCommand();
    else if (/\s/.test(sign)) this.#endWord();
    else this.#put(sign);
    this.#at += 1;
  }

  #takeOfBash(sign: string): void {
    const next = this.#text[this.#at + 1];
    if (sign === '`') throw new RefusedCommand('substitution');
    if (sign === '#') {
      const end = this.#text.indexOf('\n', this.#at);
      this.#at = end < 0 ? this.#text.length : end;
    } else if (sign === '\\') {
      if (next !== '\n') this.#put(next ?? '');
      this.#at += 2;
    } else this.#takeSingle(sign === '$');
  }

  #put(more: string): void {
    this.#word = (this.#word ?? '') + more;
  }

  #endWord(): void {
    const word = this.#word;
    this.#word = undefined;
    if (word === undefined) return;
    const [, name, value = ''] = /^([A-Za-z_]\w*)=([^]*)$/.exec(word) ?? [];
    if (this.#words.length > 0) this.#words.push(word);
    else if (name !== undefined) this.#values.set(name, value);
    else if (!/^(?:\$|export|sudo|time)$/.test(word)) this.#words.push(word);
  }

  #endCommand(): void {
    this.#endWord();
    if (this.#words.length > 0) this.#commands.push(this.#words);
    this.#words = [];
  }

  /** Takes a variable, or the sign itself. */
  #takeDollar(): void {
    const next = this.#text[this.#at + 1];
    variable.lastIndex = this.#at;
    const found = this.#isWindows ? null : variable.exec(this.#text);
    const name = found?.[1] ?? found?.[2];
    if (name === undefined && !this.#isWindows && (next === '{' || next === '('))
      throw new RefusedCommand('substitution');
    this.#put(name === undefined ? '$' : (this.#values.get(name) ?? `{{${name}}}`));
    this.#at += found?.[0].length ?? 1;
  }

  #takeSingle(isAnsi: boolean): void {
    const from = this.#at + (isAnsi ? 2 : 1);
    const end = isAnsi ? endOfAnsi(this.#text, from) : this.#text.indexOf("'", from);
    if (end < 0) throw new RefusedCommand('quote');
    const inner = this.#text.slice(from, end);
    this.#put(isAnsi ? inner.replaceAll(ansiEscape, unescaped) : inner);
    this.#at = end + 1;
  }

  #takeDouble(): void {
    this.#put('');
    for (this.#at += 1; this.#text[this.#at] !== '"';) {
      const sign = this.#text[this.#at];
      const next = this.#text[this.#at + 1] ?? '';
      if (sign === undefined) throw new RefusedCommand('quote');
      if (sign === '`' && !this.#isWindows) throw new RefusedCommand('substitution');
      if (sign === '$') this.#takeDollar();
      else if (sign === '\\' && (this.#isWindows ? /["\\]/ : /["\\$`\n]/).test(next)) {
        this.#put(next === '\n' ? '' : next);
        this.#at += 2;
      } else {
        this.#put(sign);
        this.#at += 1;
      }
    }
    this.#at += 1;
  }

  #takeRedirection(): void {
    if (this.#text.startsWith('<<', this.#at)) throw new RefusedCommand('here-document');
    if (this.#text[this.#at + 1] === '(') throw new RefusedCommand('substitution');
    if (this.#text[this.#at] === '<') throw new RefusedCommand('file');
    // What is written to a file or another stream is no word of the command.
    if (this.#word !== undefined && /^\d$/.test(this.#word)) this.#word = undefined;
    this.#endWord();
    this.#at += /^>{1,2}&?\s*[^\s;|&]*/.exec(this.#text.slice(this.#at, this.#at + 500))?.[0].length ?? 1;
  }
}

function endOfAnsi(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === "'") return at;
  }
  return -1;
}

function unescaped(whole: string, ...groups: unknown[]): string {
  const [hex, short, long, octal, sign] = groups.map((group) => (typeof group === 'string' ? group : undefined));
  const digits = hex ?? short ?? long;
  const code = digits === undefined ? octal && Number.parseInt(octal, 8) : Number.parseInt(digits, 16);
  if (typeof code === 'number') return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
  return sign === undefined ? whole : (escapes[sign] ?? sign);
}

/**
 * Undoes the `^` with which `cmd` of Windows escapes signs and continues a line, as browsers write it in their "Copy as
 * cURL (cmd)". Undefined if a text has none of it.
 */
export function withoutCarets(text: string): string | undefined {
  if (!/\^"|\^\r?\n/.test(text)) return undefined;
  return text.replaceAll(/\^(?:\r?\n|([^]))/g, (_, sign: string | undefined) => sign ?? ' ');
}
