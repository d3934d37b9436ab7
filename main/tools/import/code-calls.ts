import type { InterfaceFormat } from '../../../preload/contract/interface.ts';
import { isRecord } from '../../interface/template.ts';
import {
  formFields,
  headerSecurity,
  importRequest,
  cookieJarPlaceholder,
  type ImportedRequest,
} from './imported-request.ts';
import { CodeCall, isPlainObject, LiteralParser, maxTokens, type Literal } from './literal-parser.ts';

type CodeRequests = { format: InterfaceFormat; requests: readonly ImportedRequest[] };

/** The begin of an assignment or of a call that sends a request. */
const statement =
  /(?:\b(?:const|let|var)[^\S\n]+|^[^\S\n]*)(?<name>[A-Za-z_$][\w$]{0,60})(?:[^\S\n]*:[^=\n;{}]{1,80})?[^\S\n]*=(?![=>])|(?<![\w$@.:>])(?<call>(?:[A-Za-z_$][\w$]{0,60}\??\.){0,3}(?:fetch|axios|ajax|request|get|post|put|patch|delete|got|ky))[^\S\n]*(?:<[^<>()\n]{1,80}>)?\(/gm;
/** Calls that define routes of a server, and others that send nothing. */
const otherCall =
  /^(?:app|router|server|route|routes|express|fastify|api_router|blueprint|bp|Route|localStorage|sessionStorage|map|cache|os|params)\b|\b(?:headers|query|params|environ|storage)\.(?:get|delete)$/;
const methodNames = /(?:^|\.)(get|post|put|patch|delete)$/i;
const addressLike = /^(?:https?:\/\/|\/(?!\/)|\{\{)|^[\w-]+(?:\/[\w-]+)+\/?$/;

/** Reads requests in source code: `fetch`, axios and similar libraries, and Python's `requests`. Nothing is run. */
export function readCode(text: string, texts: ReadonlyMap<string, string>): CodeRequests[] {
  const values = new Map<string, Literal>(texts);
  const budget = { left: maxTokens };
  const found: CodeRequests[] = [];
  for (const match of text.matchAll(statement)) {
    const { name, call } = match.groups ?? {};
    const end = match.index + match[0].length;
    if (name !== undefined) values.set(name, new LiteralParser(text, end, values, budget).value());
    if (call === undefined || otherCall.test(call)) continue;
    const parser = new LiteralParser(text, end, values, budget);
    const codeCall = parser.call(call.replaceAll('?', ''));
    const request = requestOf(codeCall, values, parseSend(text, parser.at, values, budget));
    if (request) found.push({ format: formatOf(codeCall), requests: [request] });
  }
  return found;
}

const formatOf = ({ name, named }: CodeCall): InterfaceFormat =>
  /^(?:requests|httpx)\b/.test(name) || Object.keys(named).length > 0
    ? 'python'
    : /(?:^|\.)fetch$/.test(name)
      ? 'fetch'
      : 'axios';

/** The argument of a chained `.send({…})`. */
function parseSend(text: string, at: number, values: ReadonlyMap<string, Literal>, budget: { left: number }): Literal {
  const chain = /\s*(?:\.set\([^()\n]{0,200}\)\s*){0,5}\.send\(/y;
  chain.lastIndex = at;
  return chain.test(text) ? new LiteralParser(text, chain.lastIndex, values, budget).value() : undefined;
}

type CallArguments = { method?: string | undefined; url: Literal; data: Literal; isForm: boolean; settings: Literal };

/** The arguments by the signature of the function. */
function readArguments({ name, args, named }: CodeCall, sent: Literal): CallArguments {
  const [first, second, third] = args;
  const byName = methodNames.exec(name)?.[1];
  if (Object.keys(named).length > 0) {
    const isAny = name.endsWith('request');
    const data = named['json'] ?? named['data'] ?? named['content'] ?? (isAny ? args[2] : second);
    return {
      method: byName ?? (typeof first === 'string' && isAny ? first : undefined),
      url: named['url'] ?? (isAny ? second : first),
      data,
      isForm: named['json'] === undefined,
      settings: { headers: isPlainObject(named['headers']) ? named['headers'] : {} },
    };
  }
  if (isPlainObject(first)) {
    const { url, method, type, data, body } = first;
    return { method: textIn(method ?? type), url, data: data ?? body, isForm: name.endsWith('ajax'), settings: first };
  }
  const isSending = byName !== undefined && !/^(?:get|delete)$/i.test(byName);
  const settings = isSending && third !== undefined ? third : second;
  const inSettings = isPlainObject(settings) ? (settings['body'] ?? settings['json'] ?? settings['form']) : undefined;
  const isSettings =
    isSending && third === undefined && (inSettings !== undefined || hasHeaders(second)) && /ky|got|fetch/.test(name);
  return {
    method: byName ?? (isPlainObject(settings) ? textIn(settings['method']) : undefined),
    url: first,
    data: sent ?? (isSending && !isSettings ? second : inSettings),
    isForm: name === '$.post' || (isPlainObject(settings) && settings['form'] !== undefined),
    settings,
  };
}

const hasHeaders = (value: Literal): boolean => isPlainObject(value) && value['headers'] !== undefined;
const textIn = (value: Literal): string | undefined => (typeof value === 'string' ? value : undefined);

function requestOf(call: CodeCall, values: ReadonlyMap<string, Literal>, sent: Literal): ImportedRequest | undefined {
  const { method, url, data, isForm, settings } = readArguments(call, sent);
  if (typeof url !== 'string' || !addressLike.test(url)) return undefined;
  const options = isPlainObject(settings) ? settings : {};
  const headers = formFields(isRecord(options['headers']) ? options['headers'] : {});
  const base = textIn(options['baseURL']) ?? baseOf(call, values);
  const security = headerSecurity({ headers });
  const sendsCookies = options['credentials'] === 'include' || options['withCredentials'] === true;
  if (sendsCookies && security === undefined && data === undefined) headers.push(cookieJarPlaceholder);
  const form = isForm && isPlainObject(data) ? formFields(data) : undefined;
  return importRequest({
    method,
    url: /^(?:https?:|\{\{)/.test(url) ? url : `${(base ?? '').replace(/\/+$/, '')}/${url.replace(/^\/+/, '')}`,
    headers,
    text: form === undefined ? (isPlainObject(data) ? JSON.stringify(data) : textIn(data)) : undefined,
    form,
    security,
  });
}

/** The base URL of a client: `axios.create({ baseURL })`. */
function baseOf({ name }: CodeCall, values: ReadonlyMap<string, Literal>): string | undefined {
  const client = values.get(name.split('.')[0] ?? '');
  const [settings] = client instanceof CodeCall ? [...client.args, client.named['base_url']] : [];
  if (client instanceof CodeCall && typeof client.named['base_url'] === 'string') return client.named['base_url'];
  return isPlainObject(settings) ? textIn(settings['baseURL'] ?? settings['prefixUrl']) : undefined;
}
