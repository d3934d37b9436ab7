import type { UserProfile } from '../../preload/contract/models.ts';
import type { RedactedInterpretation } from './redact-interpretation.ts';
import { readJsonWebToken } from './reading/json-web-token.ts';
import { isNumber, textOrDigits } from './reading/json.ts';
import { findUser, type UserFields } from './reading/user.ts';

/** Returns the user of an answer as the screens show it. */
export function toUserProfile({
  summary,
  rest,
  left,
}: Pick<RedactedInterpretation, 'summary' | 'rest' | 'left'>): UserProfile {
  const { id, name, email } = summary.user ?? {};
  return {
    ...(id !== undefined && { id: String(id) }),
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    rest,
    ...(left > 0 && { left }),
  };
}

/**
 * Returns what a server may call the one who logged in by: what was typed, what the log-in said, and what the token claims
 * (`sub` of RFC 7519, and the fields of a user).
 * @param typed an email, a user name
 */
export function knownIdentifiers(
  typed: readonly unknown[],
  token: string | undefined,
  said: UserFields = {},
): string[] {
  const claims = token === undefined ? undefined : readJsonWebToken(token)?.claims;
  const subject = claims?.values.get('sub');
  const claimed = claims && findUser(claims)?.user;
  return [
    ...[...typed, said.id, said.email, said.name, claimed?.id, claimed?.email].flatMap((each) =>
      typeof each === 'string' ? each : typeof each === 'number' ? String(each) : [],
    ),
    ...(typeof subject === 'string' || isNumber(subject) ? [textOrDigits(subject)] : []),
  ].filter((each) => each.trim() !== '');
}
