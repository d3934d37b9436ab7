import { expect } from 'vitest';
import type { Page } from 'playwright-core';

/** Words of those who build and test servers. An owner of an account needs none of them. */
export const technical: Record<'en' | 'es', RegExp> = {
  en: /\b(?:endpoints?|tokens?|dialects?|contracts?|base urls?|status(?:es| codes?)?|headers?|json|https?|api|payloads?|requests?|bearer|oauth|localhost|[45]\d\d)\b|\/(?:registro|register|login|perfil|salir)\b|\b[a-z]+_[a-z]+\b/gi,
  es: /\b(?:endpoints?|tokens?|dialectos?|contratos?|url base|estados?|cabeceras?|json|https?|api|petici(?:ón|ones)|bearer|oauth|localhost|[45]\d\d)\b|\/(?:registro|register|login|perfil|salir)\b|\b[a-z]+_[a-z]+\b/gi,
};

/** All that a person sees or hears: texts, names and tooltips. Server's own words and the one line stay out. */
const wordsOnScreen = (page: Page) =>
  page.evaluate(() => {
    const copy = document.importNode(document.body, true);
    for (const element of copy.querySelectorAll('script, style, p:has(> span > code), footer')) element.remove();
    const named = [...copy.querySelectorAll('[aria-label], [title], [placeholder]')].flatMap((element) =>
      ['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
    );
    return [copy.textContent, ...named].join('\n');
  });

/** Fails when a technical word is on the screen. */
export async function expectPlainWords(page: Page, language: keyof typeof technical): Promise<void> {
  expect((await wordsOnScreen(page)).match(technical[language]) ?? []).toEqual([]);
}
