import en from './words/en.json' with { type: 'json' };
import es from './words/es.json' with { type: 'json' };

/** English is the default. */
export const serviceLanguages = ['en', 'es'] as const;
export type ServiceLanguage = (typeof serviceLanguages)[number];

/** Of request bodies, in the order of a form. */
export const fields = [
  'name',
  'email',
  'password',
  'cpassword',
  'pendingToken',
  'code',
  'recoveryCode',
  'currentPassword',
  'newPassword',
] as const;
export type BodyField = (typeof fields)[number];

export type ValidationRule = keyof typeof en.rules;
/** Errors of a request as a whole. */
export type ErrorKind = keyof typeof en.refusals;

const fill = (text: string, value: string | number): string => text.replace(/\{\{\w+\}\}/, () => String(value));
const counted = ({ one, other }: { one: string; other: string }, count: number): string =>
  fill(count === 1 ? one : other, count);

const textsOf = (words: typeof en) => ({
  ...words,
  rule: (rule: ValidationRule, field: BodyField): string => fill(words.rules[rule], words.fields[field]),
  moreErrors: (count: number): string => counted(words.moreErrors, count),
  throttled: (seconds: number): string => counted(words.throttled, seconds),
});

/** All texts of the service. */
export const messages: Record<ServiceLanguage, ReturnType<typeof textsOf>> = { en: textsOf(en), es: textsOf(es) };
