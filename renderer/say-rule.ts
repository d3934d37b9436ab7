import type { Language } from '../preload/contract/models.ts';
import spanish from './locales/rules.es.json';

const texts = new Map<string, string>(Object.entries(spanish));
/** These rules end in a name that the server chose. */
const withName = [...texts].filter(([rule]) => rule.endsWith(' *'));

/**
 * Says a rule by which an answer was read, in the language of the screens. Main names rules in English. One that has no
 * Spanish yet stays as it is, and a test finds it.
 */
export function sayRule(rule: string, language: Language): string {
  if (language === 'en') return rule;
  const whole = texts.get(rule);
  if (whole !== undefined) return whole;
  const found = withName.find(([text]) => rule.startsWith(text.slice(0, -1)));
  return found ? found[1].replace('*', () => rule.slice(found[0].length - 1)) : rule;
}
