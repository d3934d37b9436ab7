import {
  codeMethods,
  type CodeMethod,
  type InterfaceCall,
  type InterfaceDescription,
} from '../../preload/contract/interface.ts';

/** The calls that change, recover or delete an account, and those that send a code. `interface.md` has none of them. */
export type AccountCall =
  | 'changePassword'
  | 'forgotPassword'
  | 'resendConfirmation'
  | 'deleteAccount'
  | 'enrollment.start'
  | 'enrollment.challenge'
  | 'enrollment.confirm'
  | CodeCallName;

/** The call that sends a code, and the one before it that creates a challenge or sends the code to the user. */
type CodeCallName = `code.${CodeMethod}` | `challenge.${CodeMethod}`;

/** True for a call before the session, which is sent with what the pending login has. */
export const isOfPendingLogin = (name: AccountCall): boolean => /^(?:code|challenge)\./.test(name);

export type ListedAccountCall = InterfaceCall & { ok?: readonly number[] | undefined };
type Listed = { at: string; name: AccountCall; call: ListedAccountCall };

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
