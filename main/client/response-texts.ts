import { isAbout } from './reading/sentences.ts';
import type { Topic } from './reading/vocabulary.ts';
import { parseJson, type PlainJson } from '../interface/template.ts';

/** In characters of an answer, and in texts: what it is about stands at its beginning. */
const readWithin = 20_000;
const mostTexts = 60;
const longestText = 500;
const deepest = 5;

/** A text of an answer and the name that it stands under; none where the answer is no JSON. */
export type ResponseText = { name: string; text: string };

/**
 * What an answer says, in its codes, messages and names: all texts of JSON, and what a person reads of a page. Flags and
 * numbers are texts, too.
 */
export function readResponseTexts(body: string): ResponseText[] {
  const json = body.length > readWithin ? undefined : parseJson(body.replace(/^\uFEFF/, ''));
  return json === undefined || json === null || typeof json !== 'object'
    ? [{ name: '', text: pageText(body.slice(0, readWithin)).slice(0, longestText) }]
    : textsOf(json);
}

function textsOf(json: PlainJson): ResponseText[] {
  const said: ResponseText[] = [];
  const waiting: { name: string; value: PlainJson; depth: number }[] = [{ name: '', value: json, depth: 0 }];
  for (const { name, value, depth } of waiting) {
    if (said.length >= mostTexts) break;
    if (value !== null && typeof value === 'object') {
      if (depth < deepest)
        for (const [inner, each] of Object.entries(value).slice(0, mostTexts))
          waiting.push({ name: Array.isArray(value) ? name : inner, value: each, depth: depth + 1 });
    } else if (value !== null) said.push({ name, text: String(value).slice(0, longestText) });
  }
  return said;
}

/** What a person reads of a page: its title, and its body without tags. A text is all of that. */
function pageText(page: string): string {
  const [, title = ''] = /<title[^<>]*>([^<]{0,200})/i.exec(page) ?? [];
  const at = page.search(/<body\b/i);
  const shown = (at < 0 ? page : page.slice(at)).replaceAll(/<(?:script|style)\b[^<]*<\/(?:script|style)>/gi, ' ');
  return `${title} ${shown.replaceAll(/<[^<>]*>/g, ' ')}`.replaceAll(/\s+/g, ' ').trim();
}

/** Whether a text or a code is about a topic: `TokenExpiredError` is read as `Token Expired Error`. */
export const mentionsTopic = (topic: Topic, text: string): boolean =>
  isAbout(topic, text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));
