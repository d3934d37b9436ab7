import type { PlainJson } from '../interface/template.ts';
import { randomBytes } from 'node:crypto';
import type { RegistrationPath } from '../../preload/contract/settings.ts';

/** What is sent to register. What is not a string is sent on purpose. */
export type RequestFields = Record<string, PlainJson | undefined>;

export type Identity = { name: string; email: string; password: string };

/** An account that can be logged in to. */
export type TestAccount = { email: string; password: string };

/** Makes somebody whom nobody knows. A password has letters of both cases, digits and a sign for any server. */
export const createIdentity = (domain: string): Identity => ({
  name: 'Llavero Contract Run',
  email: `llavero-${randomBytes(8).toString('hex')}@${domain}`,
  password: createPassword(),
});

/**
 * Makes a new password.
 * @param length at least 8
 */
export const createPassword = (length = 24): string =>
  `Ll4!${randomBytes(length).toString('base64url')}`.slice(0, length);

/** Returns the fields that the interface names for a path. */
export const createRegistrationFields = (
  path: RegistrationPath,
  { name, email, password }: Identity,
): RequestFields => ({
  name,
  email,
  password,
  ...(path === 'register' && { cpassword: password }),
});
