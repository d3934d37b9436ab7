import { readJson, type JsonValue, type Visited } from './json.ts';

/**
 * The kind of a body. `html` is every markup, also PHP's warnings before JSON, from which nothing is fished out.
 * `broken-json` began like JSON and cannot be parsed, or is no text at all, such as an unknown coding.
 */
export type BodyForm = 'json' | 'empty' | 'html' | 'text' | 'broken-json';

/** `text` is what of the body counts. `left` says how many values of JSON were too many to be read. */
export type Body = { form: BodyForm; json: JsonValue; text: string; title?: string; visited: Visited; left: number };

// oxlint-disable-next-line eslint/no-control-regex -- Control characters are what it is about.
const noText = /[\0-\x08\x0e-\x1a\x1c-\x1f]|\ufffd{2}/;

/** No title is looked for beyond this many characters. */
const titleWithin = 20_000;

/**
 * Returns what stands in front of a text and is no part of it: a byte order mark, and the line that keeps JSON from being
 * run as a script.
 */
export const beforeText = (body: string): string => /^\uFEFF*(?:\)\]\}',?\s*\n)?/.exec(body)?.[0] ?? '';

/** Returns what of a body counts. */
function bodyText(body: unknown): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? null);
  return text.slice(beforeText(text).length).trim();
}

/**
 * Reads what the body is, whatever its Content-Type says. A string is raw text; anything else is JSON already parsed.
 */
export function parseBody(body: unknown): Body {
  const text = bodyText(body);
  const nothing = { json: null, text, visited: { nodes: 0, levels: 0 }, left: 0 };
  if (text === '' || text === 'null') return { ...nothing, form: 'empty' };
  if (noText.test(text.slice(0, 1000))) return { ...nothing, form: 'broken-json' };
  if (text.startsWith('<')) return { ...nothing, form: 'html', ...titleOf(text) };
  if (!/^[{["]|^(?:true|false|-?\d{1,15})$/.test(text)) return { ...nothing, form: 'text' };
  const read = readJson(text);
  return read ? { ...nothing, ...read, form: 'json' } : { ...nothing, form: 'broken-json' };
}

function titleOf(html: string): { title?: string } {
  const title = /<title[^<>]{0,200}>([^<]{1,20000})</i
    .exec(html.slice(0, titleWithin))?.[1]
    ?.replace(/\s+/g, ' ')
    .trim();
  return title ? { title } : {};
}
