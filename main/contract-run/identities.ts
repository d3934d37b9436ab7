import { randomBytes } from 'node:crypto';
import type { RegistrationPath } from '../../preload/contract/models.ts';
import { reservedDomains } from '../../preload/contract/run-limits.ts';

/** What is sent to register. What is not a string is sent on purpose. */
export type Fields = Record<string, unknown>;

export type Identity = { name: string; email: string; password: string };

/** An account that can be logged in to. */
export type Account = { email: string; password: string };

const randomText = (bytes: number): string => randomBytes(bytes).toString('base64url');

/** Makes somebody whom nobody knows. A password has letters of both cases, digits and a sign for any server. */
const newIdentity = (domain: string = reservedDomains[0]): Identity => ({
  name: 'Llavero Contract Run',
  email: `llavero-${randomBytes(8).toString('hex')}@${domain}`,
  password: newPassword(),
});

/** Makes the people of a run. Their addresses are where a person chose, else under names that are reserved. */
export function createIdentities(chosen: string | undefined) {
  let domain: string = chosen ?? reservedDomains[0];
  return {
    newIdentity: (): Identity => newIdentity(domain),
    emailDomain: (): string => domain,
    /** Returns the other reserved name if nobody chose one and it was not tried yet. */
    otherDomain: (): string | undefined =>
      chosen === undefined && domain === reservedDomains[0] ? reservedDomains[1] : undefined,
    useDomain: (name: string): void => void (domain = name),
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
