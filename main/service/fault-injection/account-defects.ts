import type { AccountDefectName } from '../../../preload/contract/names.ts';

/** The simulated vulnerabilities of the account calls, each with one line of `serve --help`. */
export const accountDefects: Record<AccountDefectName, { help: string }> = {
  'code-accepted-twice': { help: 'a code can be used again while it is valid' },
  'old-codes-accepted': { help: 'codes of the last five minutes are accepted' },
  'wrong-codes-unlimited': { help: 'wrong codes are not limited' },
  'pending-token-opens-profile': { help: 'the pending token of a login is a session' },
  'code-not-required': { help: 'an empty code, or one that is no text, completes a login' },
  'code-of-other-account': { help: 'a code of any account is accepted' },
  'recovery-code-reusable': { help: 'a recovery code can be used again' },
  'pending-token-reusable': { help: 'a pending token completes several logins' },
  'current-password-ignored': { help: 'the password is changed without the current one' },
  'sessions-outlive-password': { help: 'a changed password ends no sessions' },
  'old-password-works': { help: 'the old password still logs in after a change' },
  'deleted-without-password': { help: 'the account is deleted without its password' },
  'token-outlives-account': { help: 'the tokens of a deleted account stay valid' },
  'forgot-tells': { help: 'a forgotten password is a 404 for an unknown email' },
  'resend-tells': { help: 'another confirmation is a 404 for an unknown email' },
};
