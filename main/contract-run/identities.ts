import { randomBytes } from 'node:crypto';
import type { RegistrationPath } from '../../preload/contract/models.ts';

/** What is sent to register. What is not a string is sent on purpose. */
export type Fields = Record<string, unknown>;

type Identity = { name: string; email: string; password: string };

/** An account that can be logged in to. */
export type Account = { email: string; password: string };

const randomText = (bytes: number): string => randomBytes(bytes).toString('base64url');

/** Makes somebody whom nobody knows. A password has letters of both cases, digits and a sign for any server. */
export function newIdentity(): Identity {
  return {
    name: 'Llavero Contract Run',
    email: `llavero-${randomBytes(8).toString('hex')}@example.test`,
    password: newPassword(),
  };
}

/**
 * Makes a new password.
 * @param length at least 8
 */
export const newPassword = (length = 24): string => `Ll4!${randomText(length)}`.slice(0, length);

/** Returns the fields that the interface names for a path. */
export const fieldsFor = (path: RegistrationPath, { name, email, password }: Identity): Fields => ({
  name,
  email,
  password,
  ...(path === 'register' && { cpassword: password }),
});
