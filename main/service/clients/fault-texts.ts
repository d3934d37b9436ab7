import type { ClientFault } from './judge.ts';

/** Says each fault in one English sentence. */
export const clientFaultTexts: Record<ClientFault, string> = {
  'registration-repeated':
    'The client sent a registration again by itself after the connection was cut, and cannot know whether there is an account already.',
  'retry-after-ignored': 'The client asked again before the time was over that Retry-After had named.',
  'token-used-after-logout': 'The client used a token after it was told that this token is logged out.',
  'token-used-after-end': 'The client went on using a token after it was told twice that this token has ended.',
  'password-in-url': 'The client put a password into a URL, where logs and proxies keep it.',
  'cookies-kept': 'The client sent cookies, and the interface has none.',
  'no-accept': 'The client sent no Accept header, and the interface asks for Accept: application/json.',
  'body-on-profile': 'The client sent a body with the profile call, which has none.',
};
