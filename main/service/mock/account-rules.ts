import { z } from 'zod';
import { measuredRule } from './measured-rule.ts';

/** How a mock treats second factors, changed passwords and deleted accounts. */
export const AccountRules = z.strictObject({
  /** Whether a login without a code, or with an empty one, is refused. */
  requiresCode: measuredRule(z.boolean()),
  codesUsedOnce: measuredRule(z.boolean()),
  /** Whether a code of another account is refused. */
  refusesCodesOfOthers: measuredRule(z.boolean()),
  recoveryCodesUsedOnce: measuredRule(z.boolean()),
  /** How many steps before the present one are accepted. */
  codeStepsBefore: measuredRule(z.int().min(0).max(20)),
  /** How many wrong codes there may be in one pending login or for one account; `null` if there is no limit. */
  wrongCodes: measuredRule(
    z.strictObject({ most: z.int().min(1).max(1000), of: z.enum(['pending-login', 'account']) }).nullable(),
  ),
  pendingLoginsUsedOnce: measuredRule(z.boolean()),
  pendingLoginSeconds: measuredRule(z.int().min(1).max(86_400)),
  /** Whether the profile is returned for what a pending login gave. */
  profileForPendingLogin: measuredRule(z.boolean()),
  /** What a changed password does to the other tokens of the account, and to the token that changed it. */
  passwordEndsOtherTokens: measuredRule(z.boolean()),
  passwordEndsOwnToken: measuredRule(z.boolean()),
  /** Whether a changed password gives a new token. */
  passwordReplacesToken: measuredRule(z.boolean()),
  /** Whether the tokens of a deleted account end with it. */
  deletionEndsTokens: measuredRule(z.boolean()),
});
export type AccountRules = z.infer<typeof AccountRules>;
