import type { Page } from 'playwright-core';

/** Words of those who build and test servers. An owner of an account needs none of them. */
const technical: Record<'en' | 'es', RegExp> = {
  en: /\b(?:endpoints?|tokens?|dialects?|contracts?|base urls?|status(?:es| codes?)?|headers?|json|https?|api|payloads?|bearer|oauth|localhost|[45]\d\d)\b|\/(?:registro|register|login|perfil|salir)\b|\b[a-z]+_[a-z]+\b/gi,
  es: /\b(?:endpoints?|tokens?|dialectos?|contratos?|url base|estados?|cabeceras?|json|https?|api|bearer|oauth|localhost|[45]\d\d)\b|\/(?:registro|register|login|perfil|salir)\b|\b[a-z]+_[a-z]+\b/gi,
};

/**
 * All that a person sees or hears: texts, names and tooltips. Server's own words and the one line stay out.
 * @param besides what stays out too
 */
const wordsOnScreen = (page: Page, besides: string) =>
  page.evaluate((left) => {
    const copy = document.importNode(document.body, true);
    for (const element of copy.querySelectorAll(`script, style, p:has(> span > code), footer, ${left}`))
      element.remove();
    const named = [...copy.querySelectorAll('[aria-label], [title], [placeholder]')].flatMap((element) =>
      ['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
    );
    return [copy.textContent, ...named].join('\n');
  }, besides);

/** Returns the technical words of what is said, each between the words beside it. */
export const technicalIn = (text: string, language: keyof typeof technical): string[] =>
  [...text.matchAll(technical[language])].map(({ 0: word, index }) =>
    text.slice(Math.max(0, index - 30), index + word.length + 30).replaceAll(/\s+/g, ' '),
  );

/** Returns those on the screen. */
export const technicalWords = async (
  page: Page,
  language: keyof typeof technical,
  besides = 'noscript',
): Promise<string[]> => technicalIn(await wordsOnScreen(page, besides), language);
