import { z } from 'zod';
import { normalizeText } from '../files/normalize-text.ts';
import { codePointCount } from './domain/code-point-count.ts';
import { emailFits, looksLikeEmail } from './domain/emails.ts';
import { isCommonPassword } from './domain/common-passwords.ts';
import { fields, messages, type BodyField as FieldName, type ValidationRule as RuleName } from './messages.ts';
import type { AccountRecord } from './stores/account-store.ts';

const Field = z.enum(fields);
const Rule = z.custom<RuleName>((key) => typeof key === 'string' && Object.hasOwn(messages.en.rules, key));

type Check = [rule: RuleName, holds: (value: string) => boolean | Promise<boolean>];

/** Reports the key of the first rule that does not hold. Its text is added with the response. */
const checked = (schema: z.ZodString, checks: Check[]) =>
  schema.superRefine(async (value, context) => {
    for (const [rule, holds] of checks) {
      if (!(await holds(value))) return context.addIssue({ code: 'custom', message: rule });
    }
  });

const Text = z.string({ error: ({ input }): RuleName => (input === undefined ? 'required' : 'string') });

const textChecks: Check[] = [
  // Neither PostgreSQL's text nor UTF-8 can contain these.
  ['unstorable', (text) => text.isWellFormed() && !text.includes('\0')],
  ['required', (text) => text !== ''],
];

/** What JSON Schema can express of the checks, for the API description. */
const emailLimits = { minLength: 3, maxLength: 254 };

const Email = checked(Text.trim(), [
  ['email-too-long', (email) => email.length <= emailLimits.maxLength],
  ...textChecks,
  ['email-malformed', looksLikeEmail],
  ['email-too-long', emailFits],
]).meta({ ...emailLimits, examples: ['ana@example.test'] });

const Name = checked(Text.trim(), [['name-too-long', (name) => codePointCount(name) <= 255], ...textChecks]).meta({
  minLength: 1,
  maxLength: 255,
  examples: ['Ana Vega'],
});

const mostInPassword = 128;

/**
 * In NFC and otherwise as typed, with blanks (NIST SP 800-63B section 3.1.1.2). In other forms, a character has at most four
 * code points of two units each; a longer text is too long anyway, and is not normalised.
 */
const TypedPassword = Text.overwrite((password) =>
  password.length > 8 * mostInPassword ? password : normalizeText(password, 'NFC'),
);

const examples = ['a password of Ana'];

const Password = checked(TypedPassword, textChecks).meta({ minLength: 1, format: 'password', examples });

const NewPassword = checked(TypedPassword, [
  ...textChecks,
  ['password-too-short', (password) => codePointCount(password) >= 8],
  ['password-too-long', (password) => codePointCount(password) <= mostInPassword],
  ['password-common', async (password) => !(await isCommonPassword(password))],
]).meta({ minLength: 8, maxLength: mostInPassword, format: 'password', examples });

const Repeated = z.object({ password: z.string(), cpassword: z.string() });

const repeatedPassword = { register: Password, registro: Password.optional() };

/**
 * `/register` requires `cpassword`, `/registro` compares it only if it was sent. Whether the email is taken is not checked
 * here, since that counts as an attempt, and an invalid body does not.
 */
export function registrationBody(path: keyof typeof repeatedPassword) {
  return z
    .object({
      name: Name,
      email: Email,
      password: NewPassword,
      cpassword: repeatedPassword[path],
    })
    .refine(({ password, cpassword }) => cpassword === undefined || cpassword === password, {
      error: 'not-repeated' satisfies RuleName,
      path: ['cpassword'],
      // Also if other fields are invalid.
      when: ({ value }) => Repeated.safeParse(value).success,
    });
}

export const LoginBody = z.object({
  email: Email,
  password: Password,
});

const Code = checked(Text, textChecks).meta({ examples: ['123456'] });
const RecoveryCode = checked(Text, textChecks).meta({ examples: ['ABCD-EFGH-IJKL-MNOP'] });
const PendingToken = checked(Text, textChecks);

/** What an account with a second factor sends with its password. */
export const LoginCodes = z.object({ code: Code.optional(), recoveryCode: RecoveryCode.optional() });
export const CodeBody = z.object({ code: Code });
export const PendingCodeBody = z.object({ pendingToken: PendingToken, code: Code });
export const PendingRecoveryBody = z.object({ pendingToken: PendingToken, recoveryCode: RecoveryCode });
export const PasswordBody = z.object({ password: Password });
export const PasswordChangeBody = z.object({ currentPassword: Password, newPassword: NewPassword });
export const EmailBody = z.object({ email: Email });

export type FieldErrors = Partial<Record<FieldName, RuleName[]>>;

type BodyResult<T> =
  | { ok: true; value: T }
  | { ok: false; kind: 'not-an-object' }
  | { ok: false; kind: 'invalid'; problems: FieldErrors };

/** Returns the fields, or every error. */
export async function validateBody<T>(schema: z.ZodType<T>, body: unknown): Promise<BodyResult<T>> {
  const result = await schema.safeParseAsync(body);
  if (result.success) return { ok: true, value: result.data };
  const problems: FieldErrors = {};
  for (const { path, message } of result.error.issues) {
    if (path.length === 0) return { ok: false, kind: 'not-an-object' };
    (problems[Field.parse(path[0])] ??= []).push(Rule.parse(message));
  }
  return { ok: false, kind: 'invalid', problems };
}

/** The user in responses to registration and login. */
export const UserSummary = z.object({ id: z.int(), name: z.string(), email: z.string(), created_at: z.string() });
export const UserResource = UserSummary.extend({ updated_at: z.string() });
/** The demo user has more fields. */
export const ProfileResponse = z.looseObject(UserResource.shape);

export const RegistrationResponse = z.object({ message: z.string(), user: UserSummary });
export const LoginResponse = z.object({
  token: z.string(),
  token_type: z.literal('Bearer'),
  expires_at: z.string(),
  user: UserSummary,
});
export const LogoutResponse = z.object({ message: z.string() });
/** 403 of a login without a code. */
export const SecondFactorRequired = z.object({
  message: z.string(),
  code: z.string(),
  pendingToken: z.string(),
  methods: z.array(z.string()),
});
/** 401 of a pending login that has ended. */
export const PendingLoginEnded = z.object({ message: z.string(), code: z.string() });
export const NewFactorResponse = z.object({
  secret: z.string(),
  otpauthUrl: z.string(),
  recoveryCodes: z.array(z.string()),
});
export const ErrorResponse = z.object({
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
});
/** The body of 500 and 503, with the id of the request in the log. */
export const ServerErrorResponse = z.object({ message: z.string(), request_id: z.string().optional() });

/**
 * The instants formatted last, since most profiles are requested again. Each profile has two, and formatting takes 0.4 µs:
 * 2 to 3 % of its processor time (`npm run bench -- --only service`).
 */
const formattedInstants = new Map<number, string>();

function isoInstant(instantMs: number): string {
  const known = formattedInstants.get(instantMs);
  if (known !== undefined) return known;
  if (formattedInstants.size >= 4096) formattedInstants.clear();
  const text = new Date(instantMs).toISOString();
  formattedInstants.set(instantMs, text);
  return text;
}

/** Instants are ISO 8601 in UTC. */
export function toUser(account: AccountRecord): z.infer<typeof UserResource> {
  return {
    id: account.id,
    name: account.name,
    email: account.email,
    created_at: isoInstant(account.createdAtMs),
    updated_at: isoInstant(account.updatedAtMs),
  };
}
