import { seenRequest, type Pair, type SeenRequest, type Security } from './seen-request.ts';
import { RefusedCommand, shellCommands, withoutCarets } from './shell-words.ts';

/**
 * The options that take a value, of curl 8: what follows them is no address. `curlconverter` was tried, which knows them too:
 * its parser is native without a binary for Linux on ARM, or 1.6 MB of WebAssembly that it fetches.
 */
const short = 'AbcCdDeEFHhKmoPQrtTuUwxXYyz';
const long = new Set(
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
  variable vlan-priority write-out`.split(/\s+/),
);
const namesOfShort: Readonly<Record<string, string>> = {
  X: 'request',
  H: 'header',
  d: 'data',
  F: 'form',
  u: 'user',
  b: 'cookie',
  K: 'config',
  T: 'upload-file',
  G: 'get',
  I: 'head',
};

type Read = {
  urls: string[];
  method?: string | undefined;
  headers: Pair[];
  data: string[];
  fields: Pair[];
  isGet: boolean;
  isJson: boolean;
};

/** Reads the requests of commands of curl, and of no other command that stands around them. It opens no file. */
export function readCurl(text: string): SeenRequest[] {
  if (/^\s*(?:Invoke-(?:WebRequest|RestMethod)|iwr|irm)\b/i.test(text)) throw new RefusedCommand('powershell');
  const undone = withoutCarets(text);
  const commands = shellCommands((undone ?? text).replaceAll('\r\n', '\n'), { isWindows: undone !== undefined });
  const requests = commands.flatMap((words) => {
    const at = words.findIndex((word) => /(?:^|\/)curl(?:\.exe)?$/i.test(word));
    return at < 0 ? [] : readWords(words.slice(at + 1)).flatMap(requestsOf);
  });
  if (requests.length === 0) throw new RefusedCommand('no-address');
  return requests;
}

/** Reads the words of one command, in which `--next` begins another request. */
function readWords(words: readonly string[]): Read[] {
  const make = (): Read => ({ urls: [], headers: [], data: [], fields: [], isGet: false, isJson: false });
  const reads = [make()];
  const rest = [...words];
  let isOver = false;
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const read = reads.at(-1)!;
    if (isOver || !word.startsWith('-') || word === '-') read.urls.push(word);
    else if (word === '--') isOver = true;
    else if (word === '--next' || word === '-:') reads.push(make());
    else if (word.startsWith('--')) {
      const name = word.slice(2);
      take(read, name, long.has(name) ? (rest.shift() ?? '') : '');
    } else takeShort(read, word.slice(1), rest);
  }
  return reads;
}

/** Several short options may be one word, whose last takes the rest of it or the next word. */
function takeShort(read: Read, letters: string, rest: string[]): void {
  const at = letters.split('').findIndex((letter) => short.includes(letter));
  const flags = at < 0 ? letters : letters.slice(0, at);
  for (const letter of flags) take(read, namesOfShort[letter] ?? '', '');
  if (at < 0) return;
  const value = letters.slice(at + 1);
  take(read, namesOfShort[letters[at]!] ?? '', value === '' ? (rest.shift() ?? '') : value);
}

// oxlint-disable-next-line eslint/complexity -- It is the table of the options that count.
function take(read: Read, option: string, value: string): void {
  switch (option) {
    case 'url':
      return void read.urls.push(value);
    case 'request':
      return void (read.method = value);
    case 'get':
      return void (read.isGet = true);
    case 'head':
      return void (read.method ??= 'HEAD');
    case 'oauth2-bearer':
      return void read.headers.push(['Authorization', `Bearer ${value}`]);
    case 'header': {
      if (value.startsWith('@')) throw new RefusedCommand('file');
      const colon = value.indexOf(':');
      return void (colon > 0 && read.headers.push([value.slice(0, colon).trim(), value.slice(colon + 1).trim()]));
    }
    case 'cookie':
      if (!value.includes('=')) throw new RefusedCommand('file');
      return void read.headers.push(['Cookie', value]);
    case 'form':
    case 'form-string': {
      const equals = value.indexOf('=');
      const isFile = option === 'form' && /^[@<]/.test(value.slice(equals + 1));
      return void read.fields.push([value.slice(0, equals), isFile ? '' : value.slice(equals + 1)]);
    }
    case 'config':
    case 'upload-file':
      throw new RefusedCommand('file');
    case 'data-urlencode':
      return void read.data.push(encoded(value));
    case 'json':
      read.isJson = true;
  }
  if (!/^(?:json|data|data-(?:ascii|binary|raw))$/.test(option)) return;
  if (option !== 'data-raw' && value.startsWith('@')) throw new RefusedCommand('file');
  read.data.push(value);
}

/** A value of `--data-urlencode`: `name=content`, `=content` or `content`; `name@file` would read a file. */
function encoded(value: string): string {
  const [, name = '', sign, content = ''] = /^([^=@]*)([=@])([^]*)$/.exec(value) ?? [];
  if (sign === '@') throw new RefusedCommand('file');
  if (sign === undefined) return encodeURIComponent(value);
  return name === '' ? encodeURIComponent(content) : `${name}=${encodeURIComponent(content)}`;
}

function requestsOf({ urls, method, headers, data, fields, isGet, isJson }: Read): SeenRequest[] {
  const text = data.length === 0 ? undefined : data.join(isJson ? '' : '&');
  return urls.map((given) => {
    const url = /^(?:[a-z]+:\/\/|\{\{)/i.test(given) ? given : `http://${given}`;
    return seenRequest({
      method: method ?? (isGet ? 'GET' : text === undefined && fields.length === 0 ? 'GET' : 'POST'),
      url: isGet && text !== undefined ? `${url}${url.includes('?') ? '&' : '?'}${text}` : url,
      headers,
      text: isGet ? undefined : text,
      pairs: fields.length > 0 ? fields : undefined,
      security: schemeIn(headers),
    });
  });
}

function schemeIn(headers: readonly Pair[]): Security | undefined {
  const [, value = ''] = headers.find(([name]) => name.toLowerCase() === 'authorization') ?? [];
  const scheme = /^([\w-]{1,50})\s+\S/.exec(value)?.[1];
  return scheme === undefined || /^basic$/i.test(scheme) ? undefined : { type: 'http', scheme };
}
