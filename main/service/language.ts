import Negotiator from 'negotiator';
import { serviceLanguages, type ServiceLanguage } from './messages.ts';

/**
 * Chooses the best of our languages for an `Accept-Language` header (RFC 9110 section 12.5.4). A region counts as its
 * language, in the place where the header has it: Negotiator by itself would prefer `es` in `en-GB, es`.
 */
export function chooseLanguage(acceptLanguage: string | undefined): ServiceLanguage {
  if (acceptLanguage === undefined) return 'en';
  const wanted = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).languages();
  for (const tag of wanted) {
    const [primary = ''] = tag.toLowerCase().split('-', 1);
    if (primary === '*') break;
    const ours = serviceLanguages.find((language) => language === primary);
    if (ours) return ours;
  }
  return 'en';
}
