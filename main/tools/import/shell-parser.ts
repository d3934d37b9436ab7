/** Why a command is unreadable. */
export type ShellProblem = 'substitution' | 'file' | 'quote' | 'no-address';

/** A command without an end or an address, or whose data is elsewhere. */
export class UnreadableCommand extends Error {
  readonly why: ShellProblem;
  constructor(why: ShellProblem) {
    super(why);
    this.why = why;
  }
}

/** A part that was read in another way or not at all. `detail` is a name, never a value. */
export type ImportNote = {
  kind: 'broken' | 'file' | 'substitution' | 'quotes' | 'yaml' | 'unread-format';
  detail?: string;
};

export type ShellType = 'bash' | 'cmd' | 'powershell';
/** One command. `input` is its standard input, if the text has that. */
export type ShellCommand = { words: string[]; input?: string | undefined };

const maxDepth = 8;

/** The name of a program that sends requests. */
export const requestCommandPattern = /(?:^|[/\\])(?:curl|curlie|https?|xhs?|wget)(?:\.exe)?$/i;

const names = String.raw`\$\{(?<rule>[^{}\n]{1,200})\}|\$(?:env:)?(?<name>[A-Za-z_]\w{0,99})`;
const before = String.raw`(?<inner>\$\()|${names}`;
const bare = {
  bash: new RegExp(
    String.raw`(?<blank>[^\S\n]+|\\[^\S\n]*\n|\\[^\S\n]+(?=--?[A-Za-z]))|(?<line>\n)|\\(?<escaped>[^]?)|'(?<single>[^']*)'|\$'(?<ansi>[^'\\]*(?:\\[^][^'\\]*)*)'|\$?(?<double>")|${before}|(?<old>\`)|(?<text><<<)|<<-?[^\S\n]*(?<here>'[^'\n]{1,100}'|"[^"\n]{1,100}"|\\?[\w.-]{1,100})|(?<process>[<>]\()|(?<angle><[A-Za-z_][\w.:-]{0,60}>)|(?<input><)|(?<output>>{1,2}[&|]?[^\S\n]*[^\s;|&)]*)|(?<pipe>\|&?(?!\|))|(?<end>[;&|]+)|(?<close>\))|(?<open>')|(?<plain>[^\\'"$\`<>;&|()\s]+|[^])`,
    'y',
  ),
  cmd: new RegExp(
    String.raw`(?<blank>[^\S\n]+)|(?<line>\n)|(?<double>")|%(?<name>[A-Za-z_]\w{0,99})%|(?<angle><[A-Za-z_][\w.:-]{0,60}>)|(?<input><)|(?<output>>{1,2}[&|]?[^\S\n]*[^\s;|&)]*)|(?<pipe>\|(?!\|))|(?<end>[&|]+)|(?<plain>[^"<>&|%\s]+|[^])`,
    'y',
  ),
  powershell: new RegExp(
    String.raw`(?<blank>[^\S\n]+|\`[^\S\n]*\n)|(?<line>\n)|\`(?<escaped>[^]?)|'(?<single>(?:[^']|'')*)'|(?<double>")|${before}|(?<output>>{1,2}[^\S\n]*[^\s;|&)]*)|(?<pipe>\|)|(?<end>[;&]+)|(?<close>\))|(?<open>')|(?<plain>[^\`'"$>;&|()\s]+|[^])`,
    'y',
  ),
};
const quoted = {
  bash: new RegExp(
    String.raw`(?<plain>[^"\\$\`]+)|\\(?:\n|(?<escaped>["\\$\`]))|(?<double>")|${before}|(?<old>\`)|(?<other>[^])`,
    'y',
  ),
  cmd: new RegExp(
    String.raw`(?<plain>[^"\\%]+)|\\(?<escaped>["\\])|(?<double>")|%(?<name>[A-Za-z_]\w{0,99})%|(?<other>[^])`,
    'y',
  ),
  powershell: new RegExp(
    String.raw`(?<plain>[^"\\$\`]+)|\\(?<escaped>")|\`(?<ticked>[^])|(?<double>")|${before}|(?<other>[^])`,
    'y',
  ),
};
/** In Windows' shells, `""` is an escaped quotation mark; in others it ends a string and begins another. */
const doubled = /[{,:[]\s*""[\w<{$%-]/;

/**
 * Parses shell commands one line at a time, and runs nothing. A variable without a value in the text becomes `{{NAME}}`. A
 * command substitution is read as a request of its own, and its output is a variable.
 */
export class ShellParser {
  readonly #text: string;
  readonly #shell: ShellType;
  readonly #isDoubled: boolean;
  readonly #values: Map<string, string>;
  readonly #notes: ImportNote[];
  #at: number;
  #depth = 0;
  #documents: { command: ShellCommand; end: string; isRaw: boolean }[] = [];
  #found: ShellCommand[] = [];

  constructor(text: string, at: number, shell: ShellType, values: Map<string, string>, notes: ImportNote[]) {
    this.#text = text;
    this.#at = at;
    this.#shell = shell;
    this.#values = values;
    this.#notes = notes;
    this.#isDoubled = shell !== 'bash' || doubled.test(text);
  }

  get at(): number {
    return this.#at;
  }

  /** The commands of the next line, those of command substitutions first. */
  line(): ShellCommand[] {
    this.#found = [];
    this.#depth = 0;
    const own = this.#list();
    return [...this.#found, ...own];
  }

  #list(closing?: string): ShellCommand[] {
    const commands: ShellCommand[] = [];
    let command: ShellCommand = { words: [] };
    let word: string | undefined;
    let isInput = false;
    const token = bare[this.#shell];
    const endWord = (): void => {
      if (word === undefined) return;
      if (isInput) command.input = word;
      else if (!this.#assign(command, word)) command.words.push(word);
      isInput = false;
      word = undefined;
    };
    const endCommand = (isPiped: boolean): void => {
      endWord();
      const next: ShellCommand = { words: [] };
      if (isPiped) next.input = outputOf(command);
      if (command.words.length > 0 || command.input !== undefined) commands.push(command);
      command = next;
    };
    while (this.#at < this.#text.length) {
      token.lastIndex = this.#at;
      const found = token.exec(this.#text)?.groups ?? {};
      this.#at = token.lastIndex;
      if (found['blank'] !== undefined) endWord();
      else if (found['line'] !== undefined) {
        if (this.#isContinued()) endWord();
        else if (closing === undefined || this.#documents.length > 0) {
          endCommand(false);
          this.#readDocuments();
          if (closing === undefined) return commands;
        } else endCommand(false);
      } else if (found['pipe'] !== undefined || found['end'] !== undefined) endCommand(found['pipe'] !== undefined);
      else if (found['close'] !== undefined && closing === ')') {
        endCommand(false);
        return commands;
      } else if (found['text'] !== undefined) {
        endWord();
        isInput = true;
      } else if (found['here'] !== undefined) {
        endWord();
        const isRaw = /^['"\\]/.test(found['here']);
        this.#documents.push({ command, end: found['here'].replaceAll(/^[\\'"]|['"]$/g, ''), isRaw });
      } else if (found['process'] !== undefined) {
        this.#substitution(')', undefined);
      } else if (found['input'] !== undefined) {
        endWord();
        this.#note('file', '<');
      } else if (found['output'] !== undefined) {
        // The file descriptor before `>` is no word.
        if (/^\d$/.test(word ?? '')) word = undefined;
        endWord();
      } else if (this.#shell === 'bash' && word === undefined && found['plain']?.startsWith('#')) this.#skipLine();
      else word = (word ?? '') + this.#piece(found, nameAssigned(word));
    }
    if (closing !== undefined) throw new UnreadableCommand('quote');
    endCommand(false);
    this.#readDocuments();
    return commands;
  }

  /** A line that begins with an option continues the one before: documents often lose the backslash. */
  #isContinued(): boolean {
    const next = /[^\S\n]*(?:--?[A-Za-z]|\n[^\S\n]*--?[A-Za-z]{1,20}\s+['"])/y;
    next.lastIndex = this.#at;
    return next.test(this.#text);
  }

  #skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #note(kind: ImportNote['kind'], detail: string): void {
    this.#notes.push({ kind, detail: detail.slice(0, 100) });
  }

  /** The text of a token within a word. */
  #piece(found: Partial<Record<string, string>>, name: string | undefined): string {
    const { escaped, single, ansi, double, plain, rule } = found;
    if (found['open'] !== undefined) throw new UnreadableCommand('quote');
    if (double !== undefined) return this.#quoted(name);
    if (found['inner'] !== undefined) return this.#substitution(')', name);
    if (found['old'] !== undefined) return this.#backquoted(name);
    if (single !== undefined) return this.#shell === 'powershell' ? single.replaceAll("''", "'") : single;
    if (ansi !== undefined) return ansiText(ansi);
    if (rule !== undefined) return this.#expand(rule);
    if (found['name'] !== undefined) return this.#valueOf(found['name']);
    return escaped ?? plain ?? found['angle'] ?? found['ticked'] ?? found['other'] ?? '';
  }

  #quoted(name: string | undefined): string {
    const token = quoted[this.#shell];
    let text = '';
    while (this.#at < this.#text.length) {
      token.lastIndex = this.#at;
      const found = token.exec(this.#text)?.groups ?? {};
      this.#at = token.lastIndex;
      if (found['double'] === undefined) text += this.#piece(found, name);
      else if (this.#isDoubled && this.#text[this.#at] === '"' && text !== '') {
        this.#at += 1;
        text += '"';
      } else return text;
    }
    throw new UnreadableCommand('quote');
  }

  #valueOf = (name: string): string => this.#values.get(name) ?? `{{${name}}}`;

  /** `${NAME}`, `${NAME:-default}`; other expansions become a variable. */
  #expand(rule: string): string {
    const [, name = '', other] = /^(?:env:)?([A-Za-z_]\w{0,99})(?::?[-=]([^]*))?$/.exec(rule) ?? [];
    if (name !== '') return this.#values.get(name) ?? other ?? `{{${name}}}`;
    const [bare = 'value'] = /[A-Za-z_]\w*/.exec(rule) ?? [];
    this.#note('substitution', bare);
    return `{{${bare}}}`;
  }

  /** Commands in backquotes, which are not nested in practice. */
  #backquoted(name: string | undefined): string {
    const end = this.#text.indexOf('`', this.#at);
    if (end < 0) throw new UnreadableCommand('quote');
    const text = this.#text.slice(this.#at, end);
    this.#at = end + 1;
    const inner = new ShellParser(text, 0, this.#shell, this.#values, this.#notes);
    const commands: ShellCommand[] = [];
    while (inner.at < text.length) commands.push(...inner.line());
    return this.#outputOf(commands, name);
  }

  #substitution(closing: string, name: string | undefined): string {
    if (this.#depth >= maxDepth) throw new UnreadableCommand('substitution');
    this.#depth += 1;
    const commands = this.#list(closing);
    this.#depth -= 1;
    return this.#outputOf(commands, name);
  }

  /** The output of commands: that of `cat`, `echo` or `printf`, or else a variable. */
  #outputOf(commands: readonly ShellCommand[], name: string | undefined): string {
    const last = commands.at(-1);
    const output = last && outputOf(last);
    if (output !== undefined) return output;
    const requests = commands.filter(({ words }) => words.some((word) => requestCommandPattern.test(word)));
    this.#found.push(...requests);
    if (requests.length > 0) {
      const path = commands.flatMap(({ words }) => words).findLast((word) => /^['"]?\.[\w.]{1,60}$/.test(word));
      return `{{${name ?? path?.split('.').at(-1) ?? 'token'}}}`;
    }
    const first = /[\w-]{1,50}/.exec(last?.words[0] ?? '')?.[0] ?? 'value';
    this.#note('substitution', first);
    return `{{${first}}}`;
  }

  /** Stores `NAME=value` before a command, unless the value is a variable itself. */
  #assign(command: ShellCommand, word: string): boolean {
    if (command.words.length > 0) return false;
    const [, name, value = ''] = /^([A-Za-z_]\w*)=([^]*)$/.exec(word) ?? [];
    if (name === undefined) return /^(?:\$|%|export|local|readonly|sudo|time|set|then|do|if|while|!|\(|\{)$/.test(word);
    if (!/^\{\{[^{}]*\}\}$/.test(value)) this.#values.set(name, value);
    return true;
  }

  /** Reads the here-documents of the commands before. */
  #readDocuments(): void {
    const documents = this.#documents;
    this.#documents = [];
    for (const { command, end, isRaw } of documents) {
      const lines: string[] = [];
      while (this.#at < this.#text.length) {
        const next = this.#text.indexOf('\n', this.#at);
        const line = this.#text.slice(this.#at, next < 0 ? undefined : next);
        this.#at = next < 0 ? this.#text.length : next + 1;
        if (line.trim() === end) break;
        lines.push(line);
      }
      const body = lines.join('\n');
      command.input = isRaw
        ? body
        : body.replaceAll(/\$\{([A-Za-z_]\w{0,99})\}|\$([A-Za-z_]\w{0,99})/g, (_, one?: string, other?: string) =>
            this.#valueOf(one ?? other ?? ''),
          );
    }
  }
}

const nameAssigned = (word: string | undefined): string | undefined => /^([A-Za-z_]\w*)=$/.exec(word ?? '')?.[1];

/** The output of `cat` with a here-document, `echo` and `printf`. */
function outputOf({ words, input }: ShellCommand): string | undefined {
  const [name, ...args] = words;
  const texts = args.filter((word) => !/^-[A-Za-z]+$/.test(word));
  if (name === 'cat') return texts.length === 0 ? input : undefined;
  if (name === 'echo') return texts.join(' ');
  if (name !== 'printf') return undefined;
  return texts.length === 1 ? texts[0] : texts.slice(1).join('');
}

/** The escapes of `$'…'` (bash, 3.1.2.4). */
const ansiEscapes: Record<string, string> = {
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
const ansiText = (text: string): string =>
  text.replaceAll(
    /\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|U([\da-f]{1,8})|([0-7]{1,3})|([^]))/gi,
    (_, hex?: string, short?: string, long?: string, octal?: string, sign = '') => {
      const digits = hex ?? short ?? long;
      if (digits === undefined && octal === undefined) return ansiEscapes[sign] ?? sign;
      const code = digits === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(digits, 16);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
    },
  );
