import { isAbout } from './reading/sentences.ts';
import type { Topic } from './reading/vocabulary.ts';
import { parseJson, type PlainJson } from '../interface/template.ts';

/** Limits: what a response is about is at its beginning. */
const maxCharacters = 20_000;
const mostTexts = 60;
const longestText = 500;
const deepest = 5;

/** A text of a response, and its key if the response is JSON. */
export type ResponseText = { name: string; text: string };

/** All strings, numbers and flags of JSON, as texts, or the visible text of a page. */
export function readResponseTexts(body: string): ResponseText[] {
  const json = body.length > maxCharacters ? undefined : parseJson(body.replace(/^\uFEFF/, ''));
  return json === undefined || json === null || typeof json !== 'object'
    ? [{ name: '', text: pageText(body.slice(0, maxCharacters)).slice(0, longestText) }]
    : textsOf(json);
}

function textsOf(json: PlainJson): ResponseText[] {
  const texts: ResponseText[] = [];
  const queue: { name: string; value: PlainJson; depth: number }[] = [{ name: '', value: json, depth: 0 }];
  for (const { name, value, depth } of queue) {
    if (texts.length >= mostTexts) break;
    if (value !== null && typeof value === 'object') {
      if (depth < deepest)
        for (const [inner, each] of Object.entries(value).slice(0, mostTexts))
          queue.push({ name: Array.isArray(value) ? name : inner, value: each, depth: depth + 1 });
    } else if (value !== null) texts.push({ name, text: String(value).slice(0, longestText) });
  }
  return texts;
}

/** The title of a page, and its body without tags. */
function pageText(page: string): string {
  const [, title = ''] = /<title[^<>]*>([^<]{0,200})/i.exec(page) ?? [];
  const at = page.search(/<body\b/i);
  const shown = (at < 0 ? page : page.slice(at)).replaceAll(/<(?:script|style)\b[^<]*<\/(?:script|style)>/gi, ' ');
  return `${title} ${shown.replaceAll(/<[^<>]*>/g, ' ')}`.replaceAll(/\s+/g, ' ').trim();
}

/** True if a text or a code is about a topic: `TokenExpiredError` is split into words. */
export const mentionsTopic = (topic: Topic, text: string): boolean =>
  isAbout(topic, text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));
