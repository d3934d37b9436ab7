import { textsBelow } from './i18n.ts';

/**
 * Says a rule by which an answer was read, in the language of the screens. Main names rules in English. One that a
 * language has no words for stays as it is.
 */
export function ruleText(rule: string): string {
  // English has no such words, since the names are English.
  const texts = textsBelow('rules');
  const whole = Object.hasOwn(texts, rule) ? texts[rule] : undefined;
  if (whole !== undefined) return whole;
  // These rules end in a name that the server chose.
  const withName = Object.entries(texts).filter(([text]) => text.endsWith(' *'));
  const found = withName.find(([text]) => rule.startsWith(text.slice(0, -1)));
  return found ? found[1].replace('*', () => rule.slice(found[0].length - 1)) : rule;
}
