import { z } from 'zod';
import { CaseAnswer, CaseId } from './report-cases.ts';

export const Severity = z.enum(['high', 'medium', 'low', 'info']);
export type Severity = z.infer<typeof Severity>;

/** What can be unsafe. `main/contract-run/findings.ts` has the severities and sources, the locales the words. */
export const FindingId = z.enum([
  'token-outlives-logout',
  'wrong-password-accepted',
  'profile-without-token',
  'profile-of-another',
  'token-unverified',
  'server-killed',
  'account-doubled',
  'password-echoed',
  'password-hash-shown',
  'tokens-guessable',
  'plain-http',
  'old-tls',
  'unknown-email-by-body',
  'unknown-email-by-time',
  'stack-traces',
  'server-fault-on-refusal',
  'http-broken',
  'weak-password-accepted',
  'email-registered-twice',
  'any-origin-with-credentials',
  'certificate-ends-soon',
  'guessing-not-throttled',
  'cpassword-ignored',
  'password-cut',
  'server-fault-on-input',
  'debug-page',
  'token-cacheable',
  'software-version-shown',
]);
export type FindingId = z.infer<typeof FindingId>;

export const Finding = z.object({
  id: FindingId,
  severity: Severity,
  /** The case that found it. */
  caseId: CaseId,
  /** Ids of `Report.evidence` that prove it. */
  calls: z.array(z.string()).min(1),
  /** A script for a POSIX shell and curl that sends them again with all that they need, or an empty text. */
  script: z.string(),
  /** What was measured of it. `unknown-email-by-time` has a value of kind `times`, which says how sure it is. */
  details: z.array(CaseAnswer),
});
export type Finding = z.infer<typeof Finding>;
