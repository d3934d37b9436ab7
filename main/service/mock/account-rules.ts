import { z } from 'zod';
import type { AccountRuleName } from '../../../preload/contract/names.ts';
import { measuredRule } from './measured-rule.ts';

/** One object, so that the JSON Schema has it once. */
const flag = measuredRule(z.boolean());

/** How a mock treats second factors, changed passwords and deleted accounts. */
export const AccountRules = z.strictObject({
  /** Whether a login without a code, or with an empty one, is refused. */
  requiresCode: flag,
  codesUsedOnce: flag,
  /** Whether a code of another account is refused. */
  refusesCodesOfOthers: flag,
  recoveryCodesUsedOnce: flag,
  /** How many steps before the present one are accepted. */
  codeStepsBefore: measuredRule(z.int().min(0).max(20)),
  /** How many wrong codes there may be in one pending login or for one account; `null` if there is no limit. */
  wrongCodes: measuredRule(
    z.strictObject({ most: z.int().min(1).max(1000), of: z.enum(['pending-login', 'account']) }).nullable(),
  ),
  pendingLoginsUsedOnce: flag,
  pendingLoginSeconds: measuredRule(z.int().min(1).max(86_400)),
  /** Whether the profile is returned for what a pending login gave. */
  profileForPendingLogin: flag,
  /** What a changed password does to the old one, to the other tokens of the account, and to the token that changed it. */
  passwordReplacesOld: flag,
  passwordEndsOtherTokens: flag,
  passwordEndsOwnToken: flag,
  /** Whether a changed password gives a new token. */
  passwordReplacesToken: flag,
  /** Whether the tokens of a deleted account end with it. */
  deletionEndsTokens: flag,
} satisfies Record<AccountRuleName, z.ZodType>);
export type AccountRules = z.infer<typeof AccountRules>;
