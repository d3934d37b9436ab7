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
