import {
  findHeader,
  headerSecurity,
  importRequest,
  type ExampleResponse,
  type ImportedRequest,
  type Pair,
} from './imported-request.ts';

const requestLine =
  /^[^\S\n]*(?:#{1,6} +)?(?:\*\*|`)*(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)(?:\*\*|`)*[^\S\n]+(?:\*\*|`)?((?:https?:\/\/|\/|\{\{|<|\$|\[)[^\s`*]*)(?:[^\S\n]+HTTP\/[\d.]+)?(?:\*\*|`)*[^\S\n]*$/;
const responseLine = /^[^\S\n]*HTTP\/[\d.]+[^\S\n]+(\d{3})\b/;
const headerLine = /^[^\S\n]*([A-Za-z][\w-]{0,60}):[^\S\n]*(.*)$/;
const separator = /^[^\S\n]*###/;

/** Whether a line begins an HTTP request or response. */
export const beginsMessage = (line: string): boolean => requestLine.test(line) || responseLine.test(line);

/** `@name = value` of an `.http` file. */
export const fileVariable = /^@([A-Za-z_][\w.-]{0,60})[^\S\n]*=[^\S\n]*(.*)$/;

type Message = { request: ImportedRequest } | { response: ExampleResponse };

/**
 * Reads an HTTP request or response (RFC 9112) as documents and `.http` files have it: a start line, headers, a blank line,
 * a body. `end` is the first line after it.
 */
export function readMessage(lines: readonly string[], at: number, name: string | undefined): Message & { end: number } {
  const first = lines[at] ?? '';
  const [, method = 'GET', target = ''] = requestLine.exec(first) ?? [];
  const status = responseLine.exec(first)?.[1];
  const headers: Pair[] = [];
  let url = target;
  let next = at + 1;
  for (; next < lines.length; next += 1) {
    const line = lines[next] ?? '';
    // A long URL is continued in lines that begin with its query.
    if (headers.length === 0 && /^\s+[?&]/.test(line)) url += line.trim();
    else {
      const [, field, value = ''] = headerLine.exec(line) ?? [];
      if (field === undefined) break;
      headers.push([field, value.trim()]);
    }
  }
  const [body, end] = readBody(lines, next);
  const message = { headers, text: body };
  if (status !== undefined) return { response: { status: Number(status), headers, body }, end };
  const host = findHeader(message, /^host$/i)?.[1];
  return {
    request: importRequest({
      method,
      url: url.startsWith('/') && host ? `${host}${url}` : url,
      name,
      headers: headers.filter(([each]) => !/^(?:host|content-length|connection)$/i.test(each)),
      text: body,
      security: headerSecurity(message),
    }),
    end,
  };
}

/** JSON ends with its last bracket, another body at an empty line or at the next message. */
export function readBody(lines: readonly string[], from: number): [text: string, end: number] {
  let at = from;
  while (at < lines.length && (lines[at] ?? '').trim() === '' && at < from + 3) at += 1;
  if (at === from && at > 0 && !/^\s*[{[]/.test(lines[at] ?? '')) return ['', at];
  const isJson = /^\s*[{[]/.test(lines[at] ?? '');
  const body: string[] = [];
  let depth = 0;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (separator.test(line) || beginsMessage(line) || (!isJson && line.trim() === '')) break;
    // Prose after a request without a body is no body.
    if (!isJson && body.length === 0 && !/^[^\s{}<>]+=/.test(line.trim())) return ['', at];
    body.push(line);
    for (const sign of line.replaceAll(/"(?:[^"\\]|\\.)*"/g, ''))
      depth += '{['.includes(sign) ? 1 : '}]'.includes(sign) ? -1 : 0;
    if (isJson && depth <= 0) return [body.join('\n'), at + 1];
  }
  return [isJson ? body.join('\n') : body.join(''), at];
}
