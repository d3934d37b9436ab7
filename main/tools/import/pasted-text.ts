import type { InterfaceFormat } from '../../../preload/contract/interface.ts';
import { parseJson, isRecord } from '../../interface/template.ts';
import { readCode } from './code-calls.ts';
import { readCurl } from './curl.ts';
import { beginsMessage, readBody, fileVariable, readMessage } from './http-messages.ts';
import { readHttpie, readWget } from './httpie.ts';
import {
  fillRequest,
  importRequest,
  cookieJarPlaceholder,
  type Imported,
  type ImportedRequest,
} from './imported-request.ts';
import { readPowerShell } from './powershell.ts';
import {
  UnreadableCommand,
  ShellParser,
  requestCommandPattern,
  type ShellCommand,
  type ImportNote,
  type ShellProblem,
  type ShellType,
} from './shell-parser.ts';
import { detectUnsupportedFormat } from './unsupported-formats.ts';

/** The result of a pasted text: commands, HTTP messages and source code, with prose around them. */
export type Pasted = Imported & {
  format: InterfaceFormat | undefined;
  notes: readonly ImportNote[];
  /** Why the first unreadable command is no request. */
  refusal: ShellProblem | undefined;
};

/** A fenced code block of a document, or the text between two of them. */
type Section = { text: string; language: string; isFenced: boolean };

const fence = /^[^\S\n]{0,12}(?:>[^\S\n]?)?[^\S\n]{0,12}(`{3,}|~{3,})[^\S\n]*([\w+#.-]{0,30})/;

/** Splits Markdown at its fences. A text without fences is one section. */
export function splitMarkdown(text: string): Section[] {
  const sections: Section[] = [];
  let lines: string[] = [];
  let open: { mark: string; language: string } | undefined;
  const end = (): void => {
    if (lines.length > 0)
      sections.push({ text: lines.join('\n'), language: open?.language ?? '', isFenced: open !== undefined });
    lines = [];
  };
  for (const line of text.split('\n')) {
    const [, mark, language = ''] = fence.exec(line) ?? [];
    if (mark === undefined || (open !== undefined && !mark.startsWith(open.mark))) lines.push(line);
    else {
      end();
      open = open === undefined ? { mark, language: language.toLowerCase() } : undefined;
    }
  }
  end();
  return sections;
}

const curlInLine = /(?:^|[\s;&|(`"'=!])(?:[^\s"';&|()`]{0,100}[/\\])?(?:curl|curlie|wget)(?:\.exe)?(?:[\s\\^]|$)/i;
const httpieLine =
  /^(?:https?|xhs?)[^\S\n]+(?:-\S+[^\S\n]+){0,10}(?:(?:GET|POST|PUT|PATCH|DELETE)\b|:|\/|https?:|localhost\b|[{<$]|[\w-]+\.\w)/i;
const httpieInside = /(?:\$\(|[|;&][^\S\n]*)(?:https?|xhs?)[^\S\n]+[^\s|]/;
const assignment = /^(?:(?:export|set|local|readonly)[^\S\n]+)?[A-Za-z_]\w{0,99}=/;
const prompt =
  /^[^\S\n]*(?:(?:>|[-*+]|\d{1,2}\.)[^\S\n]+)?(?:(?:[$%#❯➜]|PS(?: [A-Za-z]:[^>\n]{0,100})?>|[A-Za-z]:\\[^>\n]{0,100}>|\w[\w.-]{0,40}@[^$#\n]{0,80}[$#])[^\S\n]+)?/;
/** Prose before a command in its line. */
const introduction =
  /^(?![^\S\n]*(?:curl|https?|wget|echo|\w+=))[^`|=$(]{0,200}:[^\S\n]+(?=(?:curl|https?|wget)(?:\.exe)?[^\S\n])/i;
const inlineCode = /`((?:curl|https?|wget)[^\S\n]+[^`\n]+)`/i;

const isShellLine = (line: string): boolean =>
  curlInLine.test(line) || httpieLine.test(line) || httpieInside.test(line) || assignment.test(line);

/** Whether a line of the text begins like a request. */
export const looksLikeRequests = (text: string): boolean =>
  text.split('\n').some((line) => {
    const plain = line.replace(prompt, '').replace(introduction, '');
    return curlInLine.test(line) || httpieLine.test(plain) || httpieInside.test(line) || beginsMessage(line);
  }) || looksLikeCode.test(text);

const looksLikeCode =
  /\b(?:fetch|axios|requests|httpx|ky|got|ajax|post|request)\s*[.(<]|\b(?:Invoke-(?:RestMethod|WebRequest)|iwr|irm)\b/i;

/** Replaces the typographic quotes and dashes of word processors by those of the shell. */
const withPlainQuotes = (text: string): string =>
  text
    .replaceAll(/[“”„]/g, '"')
    .replaceAll(/[‘’](?=[^]*[‘’]|)/g, (sign) => (text.includes('‘') ? "'" : sign))
    .replaceAll(/(?<=\s)[–—](?=[A-Za-z]\s)/g, '-')
    .replaceAll(/(?<=\s)[–—](?=[A-Za-z])/g, '--');

export class PastedReader {
  readonly notes: ImportNote[] = [];
  readonly #requests: ImportedRequest[] = [];
  readonly #values = new Map<string, string>();
  #format: InterfaceFormat | undefined;
  #refusal: ShellProblem | undefined;

  read(text: string): Pasted {
    const joined = text.replaceAll('\r\n', '\n').replaceAll(/(\\[^\S\n]*\n)[^\S\n]*> ?/g, '$1');
    for (const section of splitMarkdown(joined)) this.#section(section);
    const variables = Object.fromEntries(this.#values);
    return {
      requests: withoutDuplicates(this.#requests.map((each) => fillRequest(each, variables))),
      environments: [],
      format: this.#format,
      notes: this.notes,
      refusal: this.#refusal,
    };
  }

  #add(format: InterfaceFormat, requests: readonly ImportedRequest[]): void {
    if (requests.length === 0) return;
    this.#format ??= format;
    this.#requests.push(...requests);
  }

  #section({ text, language, isFenced }: Section): void {
    if (isFenced && this.#json(text)) return;
    const shell = shellOf(text, language);
    if (shell === 'powershell') {
      const found = readPowerShell(text, this.#values);
      this.#add('powershell', found);
      if (found.length > 0 && !/\bcurl(?:\.exe)?\s/i.test(text)) return;
    }
    const unread = detectUnsupportedFormat(text);
    if (unread !== undefined) {
      if (isFenced) this.notes.push({ kind: 'unread-format', detail: unread });
    } else if (looksLikeCode.test(text)) {
      for (const { format, requests } of readCode(text, this.#values)) this.#add(format, requests);
    }
    const hasTypographicQuotes = /[“”„‘]|\s[–—][A-Za-z]/.test(text) && curlInLine.test(text);
    const before = this.#requests.length;
    // "Copy as cURL (cmd)" of browsers escapes characters and continues lines with carets.
    const plain =
      shell === 'cmd' ? text.replaceAll(/\^(?:[^\S\n]*\n|([^]))/g, (_, sign?: string) => sign ?? ' ') : text;
    this.#lines(hasTypographicQuotes ? withPlainQuotes(plain) : plain, shell);
    if (hasTypographicQuotes && this.#requests.length > before) this.notes.push({ kind: 'quotes' });
  }

  #lines(text: string, shell: ShellType): void {
    const lines = text.split('\n');
    let offset = 0;
    let name: string | undefined;
    for (let at = 0; at < lines.length;) {
      const line = lines[at] ?? '';
      const plain = line.replace(prompt, '').replace(introduction, '');
      let next = at + 1;
      const [, variable, value = ''] = fileVariable.exec(line) ?? [];
      const [, named] = /^(?:#{3}|(?:#|\/\/)[^\S\n]*@name)[^\S\n=]+(.{1,100})$/.exec(line) ?? [];
      const [, inline] = inlineCode.exec(line) ?? [];
      if (named !== undefined && !beginsMessage(line)) name = named.trim();
      else if (variable !== undefined) this.#values.set(variable, value.trim());
      else if (beginsMessage(line)) {
        const message = readMessage(lines, at, name);
        if ('request' in message) this.#add('http', [message.request]);
        else this.#addResponse(message.response);
        next = Math.max(next, message.end);
        name = undefined;
      } else if (/^\s*\{/.test(line) && this.#requests.length > 0) {
        const [body, end] = readBody(lines, at);
        if (this.#json(body)) next = Math.max(next, end);
      } else if (inline !== undefined) this.#commands(new ShellParser(inline, 0, shell, this.#values, this.notes), at);
      else if (isShellLine(plain)) {
        const end = this.#commands(
          new ShellParser(text, offset + line.length - plain.length, shell, this.#values, this.notes),
          at,
        );
        let position = offset + line.length + 1;
        for (; position < (end ?? 0) && next < lines.length; next += 1) position += (lines[next]?.length ?? 0) + 1;
      }
      for (; at < next; at += 1) offset += (lines[at]?.length ?? 0) + 1;
    }
  }

  /** Reads the commands of a line, and returns their end; undefined if they are unreadable. */
  #commands(text: ShellParser, line: number): number | undefined {
    try {
      for (const command of text.line()) this.#command(command);
      return text.at;
    } catch (error) {
      if (!(error instanceof UnreadableCommand)) throw error;
      this.#refusal ??= error.why;
      this.notes.push({ kind: 'broken', detail: String(line + 1) });
      return undefined;
    }
  }

  #command({ words, input }: ShellCommand): void {
    const at = words.findIndex((word) => requestCommandPattern.test(word));
    if (at < 0) return;
    const program = /(\w+?)(?:\.exe)?$/i.exec(words[at] ?? '')?.[1]?.toLowerCase() ?? '';
    const command = { words: words.slice(at + 1), input };
    if (program.startsWith('curl')) this.#add('curl', readCurl(command, this.notes));
    else if (program === 'wget') this.#add('wget', readWget(command, this.notes));
    else this.#add('httpie', readHttpie(command, program.endsWith('s'), this.notes));
  }

  #addResponse(response: ImportedRequest['responses'][number]): void {
    const last = this.#requests.pop();
    if (last !== undefined) this.#requests.push({ ...last, responses: [...last.responses, response] });
  }

  /** JSON after a request of a document is its body if it has a password, and else its response. */
  #json(text: string): boolean {
    const json = /^\s*\{/.test(text) ? parseJson(text.trim()) : undefined;
    if (!isRecord(json)) return false;
    const last = this.#requests.at(-1);
    if (last === undefined) return true;
    const isSent = last.method !== 'GET' && last.body === undefined && /"[\w-]*(?:passw(?:or)?d|pwd)"\s*:/i.test(text);
    if (isSent && last.responses.length === 0) {
      const { body, encoding } = importRequest({ url: '', text });
      this.#requests[this.#requests.length - 1] = { ...last, body, encoding };
    } else this.#addResponse({ status: 200, headers: [], body: text });
    return true;
  }
}

/**
 * Drops requests without a host that the document also has with one, and the placeholder of a cookie jar if another
 * command names the session cookie.
 */
function withoutDuplicates(requests: readonly ImportedRequest[]): ImportedRequest[] {
  const absolute = new Set(
    requests.flatMap(({ method, url }) => {
      const path = /^https?:\/\/[^/?#]+(\/[^?#]*)/i.exec(url)?.[1] ?? '';
      return path
        .split('/')
        .slice(-12)
        .map((_, at, all) => `${method} /${all.slice(at).join('/')}`);
    }),
  );
  const hasNamedCookie = requests.some(({ headers }) =>
    headers.some(
      ([name, value]) =>
        /^cookie$/i.test(name) && value !== cookieJarPlaceholder[1] && /sess|sid=|auth|token/i.test(value),
    ),
  );
  return requests
    .filter(({ method, url }) => !(url.startsWith('/') && absolute.has(`${method} ${url.replace(/[?#].*$/, '')}`)))
    .map((each) => (hasNamedCookie ? withoutCookieJar(each) : each));
}

const withoutCookieJar = (request: ImportedRequest): ImportedRequest => ({
  ...request,
  headers: request.headers.filter(([, value]) => value !== cookieJarPlaceholder[1]),
});

function shellOf(text: string, language: string): ShellType {
  const isPowerShell =
    /[^\S\n]`[^\S\n]*\n|\bInvoke-(?:RestMethod|WebRequest)\b|^[^\S\n]*(?:PS [A-Za-z]:|\$\w+[^\S\n]*=)|\b(?:iwr|irm)[^\S\n]+['"$h-]/im;
  if (/^(?:powershell|pwsh|ps1?)$/.test(language) || isPowerShell.test(text)) return 'powershell';
  return /^(?:cmd|bat|batch|dos)$/.test(language) || /\^"|[^\S\n]\^[^\S\n]*\n/.test(text) ? 'cmd' : 'bash';
}
