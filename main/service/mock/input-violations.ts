import { isDeepStrictEqual } from 'node:util';
import { codePointCount } from '../domain/code-point-count.ts';
import { isCommonPassword } from '../domain/common-passwords.ts';
import { looksLikeEmail } from '../domain/emails.ts';
import type { LoginBy } from '../../interface/identifiers.ts';
import type { MockField, InputViolation, FieldViolation, MockRules } from './mock-definition.ts';

/** The lengths from which on something is odd, in characters. */
export type LengthLimits = Record<'nameMost' | 'emailMost' | 'passwordLeast' | 'passwordMost', number>;

type BodyFields = Record<string, unknown>;

export const lengthLimitsOf = (rules: Pick<MockRules, keyof LengthLimits>): LengthLimits => ({
  nameMost: rules.nameMost.value,
  emailMost: rules.emailMost.value,
  passwordLeast: rules.passwordLeast.value,
  passwordMost: rules.passwordMost.value,
});

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

function generalOddity(field: MockField, value: unknown): InputViolation | undefined {
  if (value === undefined || value === null) return 'missing';
  if (typeof value !== 'string' || !isStorable(value)) return 'other-type';
  // Blanks are signs of a password like others.
  return (/password/.test(field) ? value : value.trim()) === '' ? 'empty' : undefined;
}

function ofEmail(email: string, { emailMost }: LengthLimits): InputViolation[] {
  const trimmed = email.trim();
  return [
    ...(trimmed === email ? [] : (['with-spaces'] as const)),
    ...(looksLikeEmail(trimmed)
      ? trimmed.includes('.', trimmed.indexOf('@'))
        ? []
        : ['without-dot' as const]
      : ['malformed' as const]),
    ...(codePointCount(trimmed) > emailMost ? (['long'] as const) : []),
  ];
}

async function ofPassword(password: string, { passwordLeast, passwordMost }: LengthLimits): Promise<InputViolation[]> {
  const length = codePointCount(password);
  return [
    ...(length < passwordLeast ? (['short'] as const) : []),
    ...(length > passwordMost ? (['long'] as const) : []),
    ...((await isCommonPassword(password)) ? (['common'] as const) : []),
  ];
}

/**
 * Returns all that is odd about the body of a registration, in the order of a form. What runs and mocks call odd is
 * the same, since both ask here.
 */
export async function findRegistrationViolations(
  body: BodyFields,
  path: 'registro' | 'register',
  lengths: LengthLimits,
): Promise<FieldViolation[]> {
  const { name, email, password, cpassword } = body;
  const found: FieldViolation[] = [];
  const put = (field: MockField, oddities: readonly InputViolation[]): void => {
    for (const oddity of oddities) found.push({ field, oddity });
  };
  const put1 = (field: MockField, value: unknown, more: readonly InputViolation[]): void => {
    const general = generalOddity(field, value);
    put(field, general === undefined ? more : [general]);
  };
  put1('name', name, typeof name === 'string' && codePointCount(name.trim()) > lengths.nameMost ? ['long'] : []);
  put1('email', email, typeof email === 'string' ? ofEmail(email, lengths) : []);
  put1('password', password, typeof password === 'string' ? await ofPassword(password, lengths) : []);
  // What is odd about the password itself is told of that.
  const isRepeated = isDeepStrictEqual(cpassword, password);
  if (path === 'registro') {
    if (cpassword !== undefined) put('cpassword', isRepeated ? ['unasked'] : ['unasked', 'different']);
  } else if (!isRepeated || cpassword === undefined || cpassword === null) put1('cpassword', cpassword, ['different']);
  return found;
}

/** The same of a login, which has no password of its own rules. What may be a user name has no form of an email. */
export function findLoginViolations(
  body: BodyFields,
  lengths: LengthLimits,
  loginBy: LoginBy = 'email',
): FieldViolation[] {
  const { email, password } = body;
  const oddEmail = generalOddity('email', email);
  const oddPassword = generalOddity('password', password);
  const found: FieldViolation[] = [];
  const ofText = typeof email === 'string' && loginBy === 'email' ? ofEmail(email, lengths) : [];
  for (const oddity of oddEmail === undefined ? ofText : [oddEmail]) found.push({ field: 'email', oddity });
  if (oddPassword !== undefined) found.push({ field: 'password', oddity: oddPassword });
  else if (typeof password === 'string' && codePointCount(password) > mostLoginPassword) {
    found.push({ field: 'password', oddity: 'long' });
  }
  return found;
}

/** A password of a login is odd above this, which nobody's is. */
const mostLoginPassword = 1024;

export const violationKey = ({ field, oddity }: FieldViolation): string => `${field} ${oddity}`;

/** Returns what tells two sets of problems apart, whatever their order. */
export const violationsKey = (problems: readonly FieldViolation[]): string =>
  problems.map(violationKey).toSorted().join(', ');
