import type { SeededPerson } from '../data/seeds.ts';

/**
 * Whom the offline demo is shown as. No server takes mail for `.invalid` (RFC 2606), so that nobody has this address;
 * its password is no secret: whoever runs the service for himself may look into it anyway.
 */
export const demoPerson: SeededPerson = {
  name: 'Alba Demo',
  email: 'demo@llavero.invalid',
  password: 'the key ring of the demo',
};
