import type { PlainJson } from '../interface/template.ts';
import { randomBytes } from 'node:crypto';
import type { RegistrationPath } from '../../preload/contract/settings.ts';

/** The body of a registration. Values of other types are tests. */
export type RequestFields = Record<string, PlainJson | undefined>;

export type Identity = { name: string; email: string; password: string };

export type TestAccount = { email: string; password: string };

/** For the given account in the whole check, since somebody may need it. */
export const maxWrongPasswords = 2;

/** A random user. The password has letters of both cases, digits and a symbol, which satisfies most rules. */
export const createIdentity = (domain: string): Identity => ({
  name: 'Llavero Contract Run',
  email: `llavero-${randomBytes(8).toString('hex')}@${domain}`,
  password: createPassword(),
});

/** @param length at least 8 */
export const createPassword = (length = 24): string =>
  `Ll4!${randomBytes(length).toString('base64url')}`.slice(0, length);

export const createRegistrationFields = (
  path: RegistrationPath,
  { name, email, password }: Identity,
): RequestFields => ({
  name,
  email,
  password,
  ...(path === 'register' && { cpassword: password }),
});
