import type { ServiceLanguage } from '../messages.ts';
import english from './demo-details.json' with { type: 'json' };
import spanish from './demo-details.es.json' with { type: 'json' };

/** Further fields in the profile of the demo user. None of them is secret. */
export const demoDetails: Readonly<Record<ServiceLanguage, typeof english>> = {
  en: english,
  es: { ...english, ...spanish },
};
