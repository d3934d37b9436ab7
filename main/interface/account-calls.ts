import { codeMethods, type InterfaceCall, type InterfaceDescription } from '../../preload/contract/interface.ts';
import type { PlaceholderValues } from './template.ts';

/**
 * The calls that change, recover or delete an account, and those that send a code. `interface.md` has none of them. A
 * `challenge` is the call before a code that creates a challenge or sends the code to the user.
 */
export const accountCallNames = [
  'changePassword',
  'forgotPassword',
  'resendConfirmation',
  'deleteAccount',
  'enrollment.start',
  'enrollment.challenge',
  'enrollment.confirm',
  'code.totp',
  'challenge.totp',
  'code.email',
  'challenge.email',
  'code.recovery',
  'challenge.recovery',
] as const;
export type AccountCall = (typeof accountCallNames)[number];

const names: ReadonlySet<string> = new Set(accountCallNames);

/** The fields of account calls that are secrets. */
const secretFields = ['password', 'newPassword', 'code', 'secret'] as const;

/** The secret values among the fields of an account call. */
export const secretFieldsIn = (fields: PlaceholderValues): string[] =>
  secretFields.flatMap((name) => {
    const value = fields[name];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });

export const isAccountCall = (name: string): name is AccountCall => names.has(name);

/** True for a call before the session, which is sent with what the pending login has. */
export const isOfPendingLogin = (name: AccountCall): boolean => /^(?:code|challenge)\./.test(name);

export type CallAboutAccount = InterfaceCall & { ok?: readonly number[] | undefined };

type Listed = { at: string; name: AccountCall; call: CallAboutAccount };

/** The account calls of a description, with the path of each in it. */
export function listAccountCalls({ calls, secondFactor, enrollment }: InterfaceDescription): Listed[] {
  const listed: Listed[] = [];
  const add = (name: AccountCall, at: string, call: Listed['call'] | null | undefined): void => {
    if (call) listed.push({ at, name, call });
  };
  for (const name of ['changePassword', 'forgotPassword', 'resendConfirmation', 'deleteAccount'] as const)
    add(name, `calls.${name}`, calls[name]);
  for (const method of codeMethods) {
    const call = secondFactor?.[method];
    add(`challenge.${method}`, `secondFactor.${method}.start`, call?.start);
    add(`code.${method}`, `secondFactor.${method}`, call);
  }
  add('enrollment.start', 'enrollment.start', enrollment?.start);
  add('enrollment.challenge', 'enrollment.confirm.start', enrollment?.confirm.start);
  add('enrollment.confirm', 'enrollment.confirm', enrollment?.confirm);
  return listed;
}

/** Which placeholders of the form the body of an account call may have. Session values and variables are allowed in all. */
export const fieldsOfAccountCall = (name: AccountCall): readonly string[] => {
  if (name === 'changePassword') return ['password', 'newPassword'];
  if (name === 'deleteAccount') return ['password'];
  if (name === 'forgotPassword' || name === 'resendConfirmation') return ['email', 'username'];
  if (name === 'enrollment.start' || name === 'enrollment.challenge') return ['password'];
  if (name === 'enrollment.confirm') return ['password', 'code', 'secret'];
  const isCode = name.startsWith('code.');
  return ['email', 'username', 'password', ...(isCode ? ['code'] : [])];
};
