import { parseArgs } from 'node:util';
import {
  headerSecurity,
  importRequest,
  cookieJarPlaceholder,
  withScheme,
  type ImportedRequest,
  type Pair,
} from './imported-request.ts';
import type { ShellCommand, ImportNote } from './shell-parser.ts';

/**
 * curl's options with a value, so that no value is taken for an address. (`curlconverter` has them too, but its parser is
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
/** Options with a value that is ignored. */
const otherShort = 'ACDeEhmoPQrtUwxYyz';
const options = Object.fromEntries([
  ...withValue.map((name) => [name, { type: 'string' as const, ...(shortNames[name] && { short: shortNames[name] }) }]),
  ...Array.from(otherShort, (letter) => [`short-${letter}`, { type: 'string' as const, short: letter }]),
  ['get', { type: 'boolean' as const, short: 'G' }],
  ['head', { type: 'boolean' as const, short: 'I' }],
]);

/** Reads the requests of a curl command. No file is opened; the notes name those that curl would send. */
export function readCurl({ words, input }: ShellCommand, notes: ImportNote[]): ImportedRequest[] {
  return splitRequests(words).flatMap((args) => readArguments(args, input, notes));
}

function splitRequests(words: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  for (const word of words) {
    if (word === '--next' || word === '-:') parts.push([]);
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
  let usesCookieJar = false;
  let isBasic = false;
  let hasData = false;
  const noteFile = (file: string): undefined => {
    const name = file.replace(/^@/, '').slice(0, 100);
    if (name !== '') notes.push({ kind: 'file', detail: name });
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
    usesCookieJar ||= name === 'cookie-jar' || (name === 'cookie' && !value.includes('='));
    if (name === 'config' || name === 'upload-file') noteFile(value);
    isBasic ||= name === 'user';
    if (name === 'oauth2-bearer') headers.push(['Authorization', `Bearer ${value}`]);
    if (name === 'cookie' && value.includes('=')) headers.push(['Cookie', value]);
    if (name === 'header') {
      const [, field = '', content = ''] = /^([^:]+):([^]*)$/.exec(value) ?? [];
      if (value.startsWith('@')) noteFile(value);
      else if (field !== '') headers.push([field.trim(), content.trim()]);
    }
    if (name === 'form' || name === 'form-string') {
      const [, field = '', content = ''] = /^([^=]*)=?([^]*)$/.exec(value) ?? [];
      form.push([field, name === 'form' && /^[@<]/.test(content) ? '' : content]);
    }
    if (!/^(?:json|data|data-(?:ascii|binary|raw|urlencode))$/.test(name)) continue;
    hasData = true;
    if (name === 'data-urlencode') data.push(urlEncoded(value) ?? noteFile(value.replace(/^[^@]*/, '')) ?? '');
    else if (name === 'data-raw' || !value.startsWith('@')) data.push(value);
    else data.push(/^@-$/.test(value) ? (input ?? '') : (noteFile(value) ?? ''));
  }
  if (usesCookieJar && !headers.some(([name]) => /^(?:cookie|authorization)$/i.test(name)))
    headers.push(cookieJarPlaceholder);
  const body = data.every((each) => each === '') ? undefined : withoutShellEscapes(data.join(isJson ? '' : '&'));
  return urls.filter(isAddress).map((address) => {
    const url = withScheme(address);
    const query = isGet && body !== undefined ? `${url.includes('?') ? '&' : '?'}${body}` : '';
    return importRequest({
      method: method ?? (isGet || (!hasData && form.length === 0) ? 'GET' : 'POST'),
      url: url + query,
      headers,
      text: isGet ? undefined : body,
      form: form.length > 0 ? form : undefined,
      security: headerSecurity({ headers }) ?? (isBasic ? 'basic' : undefined),
    });
  });
}

/** Whether a word can be an address, and not a word of a sentence about curl. */
const isAddress = (word: string): boolean =>
  /^[a-z]+:\/\/.|\{\{|^localhost\b|^[\w.-]+(?:\.\w|:\d).*|^[<[{%$]/i.test(word);

/** JSON whose quotation marks are still escaped for a shell of Windows. */
const withoutShellEscapes = (text: string): string =>
  /^\s*[{[]\s*\\"/.test(text) ? text.replaceAll('\\"', '"') : text;

/** A value of `--data-urlencode`: `name=content`, `=content` or `content`; undefined for `name@file`. */
function urlEncoded(value: string): string | undefined {
  const [, name = '', sign, content = ''] = /^([^=@]*)([=@])([^]*)$/.exec(value) ?? [];
  if (sign === '@') return undefined;
  if (sign === undefined) return encodeURIComponent(value);
  return `${name === '' ? '' : `${name}=`}${encodeURIComponent(content)}`;
}
