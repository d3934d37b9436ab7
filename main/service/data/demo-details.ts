import type { ServiceLanguage } from '../messages.ts';
import english from './demo-details.json' with { type: 'json' };
import spanish from './demo-details.es.json' with { type: 'json' };

/** What the profile of the demo's person has beyond that of others. No part of it is a secret. */
export const demoDetails: Readonly<Record<ServiceLanguage, typeof english>> = {
  en: english,
  es: { ...english, ...spanish },
};
