import { fold } from '../../secrets/secret-names.ts';
import { isObject, textOf, type Json } from './json.ts';
import { isAbout } from './phrases.ts';

/** Why a server lets nobody in although the email and the password may be right. */
export type AccountState = 'unconfirmed' | 'locked' | 'disabled';

/** Codes as Supabase, Firebase, Cognito, Auth0 and others send them, without signs and in small letters. */
const codes: Record<AccountState, RegExp> = {
  unconfirmed:
    /(?:email|mail|user|account|correo|cuenta|usuario)?(?:is)?(?:not|un|no)(?:yet)?(?:verified|confirmed|activated|verificad[oa]|confirmad[oa]|activad[oa])|verif(?:y|ication)(?:your)?(?:email|account)?(?:required|pending)|pendingverification/,
  locked: /(?:account|user|usuario|cuenta)(?:is|temporarily)*(?:locked|bloquead[oa])|lockedout|lockedaccount/,
  disabled:
    /(?:account|user|usuario|cuenta)(?:is|has|been)*(?:disabled|suspended|banned|deactivated|inactive|deshabilitad[oa]|desactivad[oa]|suspendid[oa]|inactiv[oa])|(?:disabled|suspended|banned|inactive)(?:account|user)/,
};

const inOrder = ['unconfirmed', 'locked', 'disabled'] as const;

/** Where answers have a code beside their words. */
const codeNames = ['code', 'error_code', 'errorCode', 'error', 'type', 'name', 'reason', 'codigo'];

const longestCode = 80;

function codesIn(json: Json, depth = 0): string[] {
  if (!isObject(json)) return [];
  return codeNames.flatMap((name) => {
    const value = json.values.get(name);
    if (value === undefined) return [];
    const text = textOf(value);
    if (text !== undefined) return /\s/.test(text) || text.length > longestCode ? [] : [fold(text)];
    return depth < 2 ? codesIn(value, depth + 1) : [];
  });
}

/** Reads of a refusal whether the account, and not what was typed, is why. */
export function accountStateIn(
  status: number,
  texts: readonly string[],
  json: Json,
): { accountState: AccountState } | undefined {
  const found = codesIn(json);
  const said = inOrder.find(
    (state) => found.some((code) => codes[state].test(code)) || texts.some((text) => isAbout(state, text)),
  );
  // RFC 4918 section 11.3.
  const accountState = said ?? (status === 423 ? 'locked' : undefined);
  return accountState && { accountState };
}

/** Says whether a registration was answered with the wish that its email is confirmed first. */
export const asksToConfirm = (message: string | undefined): boolean => isAbout('confirmFirst', message);
