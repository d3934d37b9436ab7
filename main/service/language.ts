import Negotiator from 'negotiator';
import { languages, type Language } from './messages.ts';

/** The best of our languages for an `Accept-Language` header (RFC 9110 section 12.5.4). */
export function chooseLanguage(acceptLanguage: string | undefined): Language {
  if (acceptLanguage === undefined) return 'en';
  const [best] = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).languages([...languages]);
  return languages.find((language) => language === best) ?? 'en';
}
