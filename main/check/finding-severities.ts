import type { FindingId, Severity } from '../../preload/contract/report.ts';

/** How much each finding weighs. ASVS is OWASP's of version 5.0. */
export const findingSeverities: Readonly<Record<FindingId, Severity>> = {
  // ASVS 7.4.1: after a logout no further use of the session is possible.
  'token-outlives-logout': 'high',
  // ASVS 6.2.8, NIST SP 800-63B section 3.1.1.2: the password that was set is what is verified.
  'wrong-password-accepted': 'high',
  // ASVS 8.2.1: functions are for those with a permission.
  'profile-without-token': 'high',
  // ASVS 8.2.2: data are for those with a permission on them.
  'profile-of-another': 'high',
  // ASVS 9.1.1, 9.1.2, RFC 8725 section 3.1: the signature is verified, with the algorithms that are allowed.
  'token-unverified': 'high',
  // ASVS 16.5.3: what one caller sends takes the service from nobody else.
  'server-killed': 'high',
  // ASVS 15.4.2: a check and what depends on it are one step.
  'account-doubled': 'high',
  // ASVS 14.2.6, 15.3.1: only the fields that are needed are sent.
  'password-echoed': 'high',
  // The same, and ASVS 11.4.2: a hash is kept so that nobody can try passwords on it.
  'password-hash-shown': 'high',
  // ASVS 7.2.3: reference tokens are unique and of at least 128 bits of entropy; we say so below 64.
  'tokens-guessable': 'high',
  // ASVS 12.2.1, RFC 6750 section 5.3: bearer tokens go over TLS only.
  'plain-http': 'high',
  // ASVS 12.1.1, RFC 8996: nothing older than TLS 1.2.
  'old-tls': 'high',
  // ASVS 6.3.8: valid users cannot be told from failed attempts, by messages and codes …
  'unknown-email-by-body': 'medium',
  // ASVS 6.3.8: … nor by times.
  'unknown-email-by-time': 'medium',
  // ASVS 16.5.1: a generic message, no stack traces.
  'stack-traces': 'medium',
  // ASVS 16.5.3: what everybody does wrong one day is refused, and is no surprise to the server.
  'server-fault-on-refusal': 'medium',
  // RFC 9112, 2.2, 6.3 and 7.1: what ends where is the same for all who read it.
  'http-broken': 'medium',
  // ASVS 6.2.1, 6.2.4, NIST SP 800-63B section 3.1.1.2: at least 8 characters, none of the 3000 most used.
  'weak-password-accepted': 'medium',
  // An email is what an account is found by: two of one spelling can be taken for each other.
  'email-registered-twice': 'medium',
  // ASVS 3.4.2: an origin is checked against a list before it is allowed.
  'any-origin-with-credentials': 'medium',
  // RFC 5280 section 4.1.2.5: after its end nobody trusts it.
  'certificate-ends-soon': 'medium',
  // ASVS 6.3.1, NIST SP 800-63B section 3.2.2: failed attempts are limited.
  'guessing-not-throttled': 'medium',
  // A mistyped password locks its owner out, which the repetition is there to prevent.
  'cpassword-ignored': 'low',
  // ASVS 6.2.8, NIST SP 800-63B section 3.1.1.2: passwords are verified whole.
  'password-cut': 'low',
  // ASVS 16.5.3, RFC 9110 section 15.6: what is wrong with a request is no fault of the server's.
  'server-fault-on-input': 'low',
  // ASVS 13.4.2: debug modes are off in production. A server that is being made may well have them on.
  'debug-page': 'low',
  // ASVS 14.3.2, RFC 6749 section 5.1: answers with tokens say no-store.
  'token-cacheable': 'low',
  // Line 34 of interface.md, which a server is held to only where its interface was chosen.
  'token-format': 'info',
  // ASVS 13.4.6: versions of components are not shown.
  'software-version-shown': 'info',
  // ASVS 6.3.3, NIST SP 800-63B section 2.2: without the second factor there is no login.
  'second-factor-skipped': 'high',
  // The same: what the first factor gives is no session yet.
  'profile-before-second-factor': 'high',
  // ASVS 6.3.3: the second factor is one of the account that is logged in to.
  'code-of-another-accepted': 'high',
  // ASVS 6.3.1, 6.6.3, NIST SP 800-63B section 3.2.2: six digits are guessed where attempts are not limited.
  'codes-not-throttled': 'high',
  // ASVS 6.5.1: a lookup secret is used once.
  'recovery-code-accepted-twice': 'high',
  // ASVS 6.2.3: a changed password is replaced.
  'old-password-accepted': 'high',
  // ASVS 7.4.2: with a deleted account its sessions end.
  'token-outlives-account': 'high',
  // RFC 6238 section 5.2, ASVS 6.5.1: the second attempt with a code is refused.
  'code-accepted-twice': 'medium',
  // A pending login is for one login.
  'pending-login-reusable': 'medium',
  // ASVS 6.2.3: changing a password requires the current one.
  'current-password-ignored': 'medium',
  // ASVS 7.4.3: a changed password can end all other sessions.
  'token-outlives-password': 'medium',
  // ASVS 7.5.1: what changes an account asks for its password again.
  'account-deleted-without-password': 'medium',
  // ASVS 6.3.8: the recovery of a password does not tell who has an account either.
  'unknown-email-by-reset': 'medium',
  'unknown-email-by-resend': 'medium',
  // RFC 6238 section 5.2, ASVS 6.5.5: at most one time step is allowed for delays.
  'old-codes-accepted': 'low',
  // RFC 6238 section 6: codes are refused where clocks differ.
  'server-clock-off': 'info',
};
