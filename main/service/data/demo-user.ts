import type { SeedUser } from './seed-users.ts';

/**
 * The offline demo shows this person. No server takes mail for `.invalid` (RFC 2606), so nobody has this address. The
 * password is no secret: people who run the service for themselves may look into it anyway.
 */
export const demoUser: SeedUser = {
  name: 'Alba Demo',
  email: 'demo@llavero.invalid',
  password: 'the key ring of the demo',
};
