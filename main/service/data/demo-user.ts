import type { SeedUser } from './seed-users.ts';

/**
 * The user of the offline demo. No server takes mail for `.invalid` (RFC 2606), so nobody has this address. The password is
 * public.
 */
export const demoUser: SeedUser = {
  name: 'Alba Demo',
  email: 'demo@llavero.invalid',
  password: 'the key ring of the demo',
};

/** The same with a second factor, whose secret is public too. It exists where account calls are on. */
export const demoCodesUser: SeedUser & { totpSecret: string } = {
  name: 'Clara Codina',
  email: 'codes@llavero.invalid',
  password: 'the codes of the demo',
  totpSecret: 'LLAVEROCODESOFCLARACODINA2345672',
};
