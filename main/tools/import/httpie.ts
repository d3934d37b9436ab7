import { parseArgs } from 'node:util';
import type { PlainJson } from '../../interface/template.ts';
import { isRecord, parseJson } from '../../interface/template.ts';
import {
  findHeader,
  formFields,
  headerSecurity,
  importRequest,
  cookieJarPlaceholder,
  tokenScheme,
  withScheme,
  type ImportedRequest,
  type Pair,
} from './imported-request.ts';
import type { ShellCommand, ImportNote } from './shell-parser.ts';

const string = { type: 'string' } as const;
const flag = (short: string) => ({ type: 'boolean', short }) as const;
const httpieOptions = {
  form: flag('f'),
  json: flag('j'),
  multipart: { type: 'boolean' },
  auth: { ...string, short: 'a' },
  'auth-type': { ...string, short: 'A' },
  bearer: string,
  raw: string,
  session: string,
  'session-read-only': string,
  print: { ...string, short: 'p' },
  output: { ...string, short: 'o' },
  style: { ...string, short: 's' },
  pretty: string,
  timeout: string,
  verify: string,
  proxy: string,
  cert: string,
  'default-scheme': string,
} as const;

/** Name, separator and value of a request item, longer separators first (httpie.io/docs/cli/request-items). */
const item = /^((?:[^\\:=@]|\\[^])*)(:=@|=@|:=|==|:|=|@)([^]*)$/;

/** Reads an HTTPie command: `http POST :8000/login email=a Authorization:'Bearer x'`. */
export function readHttpie({ words, input }: ShellCommand, isSecure: boolean, notes: ImportNote[]): ImportedRequest[] {
  const { values, positionals } = parseArgs({
    args: words,
    options: httpieOptions,
    strict: false,
    allowPositionals: true,
  });
  const [first = '', ...others] = positionals;
  const isMethod = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/i.test(first);
  const [address = '', ...items] = isMethod ? others : positionals;
  const url = toUrl(address, isSecure);
  if (url === undefined) return [];
  const headers: Pair[] = [];
  const query: string[] = [];
  const body: { [name: string]: PlainJson } = {};
  for (const each of items) {
    const [, name = '', separator = '', value = ''] = item.exec(each) ?? [];
    if (separator === ':') headers.push([name, value]);
    else if (separator === '==') query.push(`${name}=${encodeURIComponent(value)}`);
    else if (separator.includes('@')) notes.push({ kind: 'file', detail: value.slice(0, 100) });
    else if (separator !== '') setMember(body, name, separator === ':=' ? (parseJson(value) ?? value) : value);
  }
  const text = typeof values.raw === 'string' ? values.raw : input;
  const hasItems = Object.keys(body).length > 0;
  const isForm = values.form === true || values.multipart === true;
  const isBearer = values['auth-type'] === 'bearer' || findHeader({ headers }, /^authorization$/i) !== undefined;
  const scheme = tokenScheme({ headers }) ?? 'Bearer';
  const hasSession = typeof (values.session ?? values['session-read-only']) === 'string';
  if (hasSession && !isBearer) headers.push(cookieJarPlaceholder);
  return [
    importRequest({
      method: isMethod ? first : hasItems || text !== undefined ? 'POST' : 'GET',
      url: url + (query.length === 0 ? '' : `${url.includes('?') ? '&' : '?'}${query.join('&')}`),
      headers,
      text: hasItems ? (isForm ? undefined : JSON.stringify(body)) : text,
      form: hasItems && isForm ? formFields(body) : undefined,
      security: isBearer ? { type: 'http', scheme } : undefined,
    }),
  ];
}

/** `:8000/x` is this computer; an address without a scheme has that of the command, `http` or `https`. */
function toUrl(address: string, isSecure: boolean): string | undefined {
  if (/^(?:https?:\/\/|\{\{)/i.test(address)) return address;
  if (/^:(?:\d|\/|$)/.test(address)) return `http://localhost${address.replace(/^:(?!\d)/, '')}`;
  if (address.startsWith('/')) return `http://localhost${address}`;
  return /^localhost\b|^[\w-]+(?:\.\w|:\d).*/.test(address) ? `${isSecure ? 'https' : 'http'}://${address}` : undefined;
}

/** A name such as `user[email]` is a nested member. */
function setMember(body: { [name: string]: PlainJson }, name: string, value: PlainJson): void {
  const [, outer = '', inner] = /^([^[\]]{1,100})\[([^[\]]{1,100})\]$/.exec(name.replaceAll(/\\([^])/g, '$1')) ?? [];
  if (inner === undefined) body[name] = value;
  else {
    const own = Object.hasOwn(body, outer) ? body[outer] : undefined;
    body[outer] = { ...(isRecord(own) ? own : {}), [inner]: value };
  }
}

const wgetOptions = {
  'post-data': string,
  'body-data': string,
  'post-file': string,
  'body-file': string,
  header: string,
  method: string,
  'load-cookies': string,
  'save-cookies': string,
  output: { ...string, short: 'O' },
  user: string,
  password: string,
} as const;

/** Reads a wget command. */
export function readWget({ words }: ShellCommand, notes: ImportNote[]): ImportedRequest[] {
  const { tokens } = parseArgs({
    args: words,
    options: wgetOptions,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const valuesOf = (...names: string[]) =>
    tokens.flatMap((each) => (each.kind === 'option' && names.includes(each.name) ? (each.value ?? '') : []));
  const url = tokens.find(
    (each) => each.kind === 'positional' && /^(?:https?:|\{\{|localhost|[\w-]+\.)/.test(each.value),
  );
  if (url?.kind !== 'positional') return [];
  for (const file of valuesOf('post-file', 'body-file')) notes.push({ kind: 'file', detail: file.slice(0, 100) });
  const headers = valuesOf('header').map((each): Pair => {
    const [, name = '', value = ''] = /^([^:]+):\s*([^]*)$/.exec(each) ?? [];
    return [name, value];
  });
  if (valuesOf('load-cookies', 'save-cookies').length > 0) headers.push(cookieJarPlaceholder);
  const [text] = valuesOf('post-data', 'body-data');
  return [
    importRequest({
      method: valuesOf('method')[0] ?? (text === undefined ? 'GET' : 'POST'),
      url: withScheme(url.value),
      headers,
      text,
      security: headerSecurity({ headers }),
    }),
  ];
}
