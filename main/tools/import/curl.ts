import { parseArgs } from 'node:util';
import {
  headerOf,
  importRequest,
  cookieJarPlaceholder,
  schemeIn,
  type ImportedRequest,
  type Pair,
} from './imported-request.ts';
import type { ShellCommand, ImportNote } from './shell-parser.ts';

/**
 * curl's options with a value, so that no value is taken for an address. (`curlconverter` knows them too: its parser is
 * native without a binary for Linux on ARM, or 1.6 MB of WebAssembly that it fetches.)
 */
const withValue =
  `abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to
  continue-at cookie cookie-jar create-file-mode crlfile curves data data-ascii data-binary data-raw data-urlencode
  delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url dump-header ech engine etag-compare etag-save
  expect100-timeout form form-string ftp-account ftp-method ftp-port happy-eyeballs-timeout-ms haproxy-clientip header hsts
  interface ip-tos ipfs-gateway json keepalive-cnt keepalive-time key key-type krb libcurl limit-rate local-port
  login-options mail-auth mail-from mail-rcpt max-filesize max-redirs max-time netrc-file noproxy oauth2-bearer output
  output-dir parallel-max pass pinnedpubkey preproxy proto proto-default proto-redir proxy proxy-cacert proxy-header
  proxy-user proxy1.0 pubkey quote random-file range rate referer request request-target resolve retry retry-delay
  retry-max-time sasl-authzid service-name socks4 socks4a socks5 socks5-hostname speed-limit speed-time stderr
  telnet-option time-cond tls-max tls13-ciphers trace trace-ascii unix-socket upload-file url url-query user user-agent
  variable vlan-priority write-out`.split(/\s+/);
const shortNames: Record<string, string> = {
  request: 'X',
  header: 'H',
  data: 'd',
  form: 'F',
  user: 'u',
  cookie: 'b',
  'cookie-jar': 'c',
  config: 'K',
  'upload-file': 'T',
};
/** Those whose value means nothing here, by their letter. */
const otherShort = 'ACDeEhmoPQrtUwxYyz';
const options = Object.fromEntries([
  ...withValue.map((name) => [name, { type: 'string' as const, ...(shortNames[name] && { short: shortNames[name] }) }]),
  ...Array.from(otherShort, (letter) => [`short-${letter}`, { type: 'string' as const, short: letter }]),
  ['get', { type: 'boolean' as const, short: 'G' }],
  ['head', { type: 'boolean' as const, short: 'I' }],
]);

/** Reads the requests of a command of curl. No file is opened: what it would send is named. */
export function readCurl({ words, input }: ShellCommand, notes: ImportNote[]): ImportedRequest[] {
  return splitAt(words, (word) => word === '--next' || word === '-:').flatMap((args) =>
    readArguments(args, input, notes),
  );
}

function splitAt(words: readonly string[], isEnd: (word: string) => boolean): string[][] {
  const parts: string[][] = [[]];
  for (const word of words) {
    if (isEnd(word)) parts.push([]);
    else parts.at(-1)!.push(word);
  }
  return parts;
}

function readArguments(args: string[], input: string | undefined, notes: ImportNote[]): ImportedRequest[] {
  const { tokens } = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true });
  const urls: string[] = [];
  const headers: Pair[] = [];
  const data: string[] = [];
  const form: Pair[] = [];
  let method: string | undefined;
  let isGet = false;
  let isJson = false;
  let isJar = false;
  let isBasic = false;
  let isSent = false;
  /** A file is named and not read: what it holds has to be put in. */
  const unread = (file: string): undefined => {
    const said = file.replace(/^@/, '').slice(0, 100);
    if (said !== '') notes.push({ kind: 'file', said });
  };
  for (const token of tokens) {
    if (token.kind === 'positional') urls.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, value = '' } = token;
    if (name === 'url') urls.push(value);
    if (name === 'request') method = value;
    if (name === 'head') method ??= 'HEAD';
    isGet ||= name === 'get';
    isJson ||= name === 'json';
    isJar ||= name === 'cookie-jar' || (name === 'cookie' && !value.includes('='));
    if (name === 'config' || name === 'upload-file') unread(value);
    isBasic ||= name === 'user';
    if (name === 'oauth2-bearer') headers.push(['Authorization', `Bearer ${value}`]);
    if (name === 'cookie' && value.includes('=')) headers.push(['Cookie', value]);
    if (name === 'header') {
      const [, field = '', content = ''] = /^([^:]+):([^]*)$/.exec(value) ?? [];
      if (value.startsWith('@')) unread(value);
      else if (field !== '') headers.push([field.trim(), content.trim()]);
    }
    if (name === 'form' || name === 'form-string') {
      const [, field = '', content = ''] = /^([^=]*)=?([^]*)$/.exec(value) ?? [];
      form.push([field, name === 'form' && /^[@<]/.test(content) ? '' : content]);
    }
    if (!/^(?:json|data|data-(?:ascii|binary|raw|urlencode))$/.test(name)) continue;
    isSent = true;
    if (name === 'data-urlencode') data.push(urlEncoded(value) ?? unread(value.replace(/^[^@]*/, '')) ?? '');
    else if (name === 'data-raw' || !value.startsWith('@')) data.push(value);
    else data.push(/^@-$/.test(value) ? (input ?? '') : (unread(value) ?? ''));
  }
  if (isJar && !headers.some(([name]) => /^(?:cookie|authorization)$/i.test(name))) headers.push(cookieJarPlaceholder);
  const body = data.every((each) => each === '') ? undefined : straight(data.join(isJson ? '' : '&'));
  const scheme = schemeIn(headerOf({ headers }, /^authorization$/i)?.[1] ?? '');
  return urls.filter(isAddress).map((given) => {
    const url = /^(?:[a-z]+:\/\/|\{\{)/i.test(given) ? given : `http://${given}`;
    const query = isGet && body !== undefined ? `${url.includes('?') ? '&' : '?'}${body}` : '';
    return importRequest({
      method: method ?? (isGet || (!isSent && form.length === 0) ? 'GET' : 'POST'),
      url: url + query,
      headers,
      text: isGet ? undefined : body,
      form: form.length > 0 ? form : undefined,
      security: scheme !== undefined ? { type: 'http', scheme } : isBasic ? 'basic' : undefined,
    });
  });
}

/** Whether a word can be an address, and not one of a sentence about curl. */
const isAddress = (word: string): boolean =>
  /^[a-z]+:\/\/.|\{\{|^localhost\b|^[\w.-]+(?:\.\w|:\d).*|^[<[{%$]/i.test(word);

/** JSON whose quotation marks kept the sign that one of Windows' shells wants before them. */
const straight = (text: string): string => (/^\s*[{[]\s*\\"/.test(text) ? text.replaceAll('\\"', '"') : text);

/** A value of `--data-urlencode`: `name=content`, `=content` or `content`; undefined for `name@file`. */
function urlEncoded(value: string): string | undefined {
  const [, name = '', sign, content = ''] = /^([^=@]*)([=@])([^]*)$/.exec(value) ?? [];
  if (sign === '@') return undefined;
  if (sign === undefined) return encodeURIComponent(value);
  return `${name === '' ? '' : `${name}=`}${encodeURIComponent(content)}`;
}
