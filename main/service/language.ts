import Negotiator from 'negotiator';
import { serviceLanguages, type ServiceLanguage } from './messages.ts';

/**
 * The best language for an `Accept-Language` header (RFC 9110 section 12.5.4). A region counts as its language, at its
 * position in the header: Negotiator by itself would prefer `es` in `en-GB, es`.
 */
export function chooseLanguage(acceptLanguage: string | undefined): ServiceLanguage {
  if (acceptLanguage === undefined) return 'en';
  const accepted = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).languages();
  for (const tag of accepted) {
    const [primary = ''] = tag.toLowerCase().split('-', 1);
    if (primary === '*') break;
    const supported = serviceLanguages.find((language) => language === primary);
    if (supported) return supported;
  }
  return 'en';
}
