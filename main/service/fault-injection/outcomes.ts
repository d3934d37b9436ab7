import { z } from 'zod';
import { fields, messages, type BodyField, type ServiceLanguage, type ValidationRule } from '../messages.ts';
import { ErrorResponse, LoginResponse, type UserSummary, RegistrationResponse, UserResource } from '../schemas.ts';
import type { Operation } from '../../../preload/contract/names.ts';

export type ShownUser = z.infer<typeof UserSummary>;

/** One failing rule of one field, with the text in the language of the answer. */
export type FieldError = { field: BodyField; rule: ValidationRule; text: string };

/** The content of a response, without its format. */
export type OutcomeDetails = {
  /** Only dialects that issue a token on registration use `token`. */
  registered: { user: ShownUser; token: string };
  loggedIn: { token: string; user: ShownUser; expiresAt: string };
  profile: { user: z.infer<typeof UserResource> };
  loggedOut: object;
  wrongCredentials: { isUnknownEmail: boolean };
  unauthenticated: object;
  invalid: { problems: FieldError[]; message: string };
  /** The email is taken, and nothing else is invalid. */
  emailTaken: { problems: FieldError[]; message: string };
  throttled: { seconds: number };
  /** The request as a whole is rejected, such as one that is not JSON. */
  refused: { status: number; message: string };
  failed: object;
};

export type OutcomeKind = keyof OutcomeDetails;
type OperationOutcome = { [Kind in OutcomeKind]: { kind: Kind } & OutcomeDetails[Kind] }[OutcomeKind];

/** The rule of each error text; no two texts of a language are equal. */
const problemsByText = (language: ServiceLanguage): ReadonlyMap<string, FieldError> => {
  const { rule: textOf, rules } = messages[language];
  const found = new Map<string, FieldError>();
  for (const field of fields) {
    for (const rule of z.array(z.custom<ValidationRule>()).parse(Object.keys(rules))) {
      const text = textOf(rule, field);
      found.set(text, { field, rule, text });
    }
  }
  return found;
};

const known: Record<ServiceLanguage, ReadonlyMap<string, FieldError>> = {
  en: problemsByText('en'),
  es: problemsByText('es'),
};

/**
 * Reads a response of the service itself.
 * @param answer.language the language of its texts
 */
export function readOutcome(
  operation: Operation,
  answer: { status: number; retryAfter: number; body: unknown; language: ServiceLanguage; isUnknownEmail: boolean },
): OperationOutcome {
  const { status, retryAfter, body, language, isUnknownEmail } = answer;
  if (status < 300) {
    if (operation === 'profile') return { kind: 'profile', user: UserResource.parse(body) };
    if (operation === 'logout') return { kind: 'loggedOut' };
    if (operation === 'login') {
      const { token, user, expires_at: expiresAt } = LoginResponse.parse(body);
      return { kind: 'loggedIn', token, user, expiresAt };
    }
    return { kind: 'registered', user: RegistrationResponse.parse(body).user, token: '' };
  }
  if (status === 401)
    return operation === 'login' ? { kind: 'wrongCredentials', isUnknownEmail } : { kind: 'unauthenticated' };
  if (status === 429) return { kind: 'throttled', seconds: retryAfter };
  if (status === 500) return { kind: 'failed' };
  const { message, errors } = ErrorResponse.parse(body);
  if (!errors) return { kind: 'refused', status, message };
  const problems = Object.values(errors)
    .flat()
    .map((text) => known[language].get(text))
    .filter((problem) => problem !== undefined);
  const isTaken = problems.every(({ rule }) => rule === 'email-taken');
  return { kind: isTaken ? 'emailTaken' : 'invalid', problems, message };
}
