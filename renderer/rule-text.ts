import { textsBelow } from './i18n.ts';

/** Translates the name of a parsing rule, which main sends in English. A name without a translation stays as it is. */
export function ruleText(rule: string): string {
  // The English texts have none, since the names are English.
  const texts = textsBelow('rules');
  const whole = Object.hasOwn(texts, rule) ? texts[rule] : undefined;
  if (whole !== undefined) return whole;
  // The names of these rules end in a name that the server chose.
  const withName = Object.entries(texts).filter(([text]) => text.endsWith(' *'));
  const found = withName.find(([text]) => rule.startsWith(text.slice(0, -1)));
  return found ? found[1].replace('*', () => rule.slice(found[0].length - 1)) : rule;
}
