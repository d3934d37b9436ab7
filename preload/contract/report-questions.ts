import { z } from 'zod';

/**
 * What a case asks. The words for it are in the locales, under this name. An answer with a `subject` answers
 * the question for that field, operation or variant alone.
 */
export const Question = z.enum([
  /** A choice of `both`, `registro`, `register` and `neither`. */
  'paths-served',
  /** The status of the success, by operation. */
  'success-status',
  /** The names and types of the fields of the success, by operation. */
  'success-fields',
  /** A flag. */
  'token-at-registration',
  /** How the server replied to what it was sent, as in the next ones. A path as the subject has one for each path. */
  'registration-sent',
  /** The refusal of an address under the first reserved name, where the second was accepted. */
  'address-refused',
  /** A refusal that may be due to a value that the run chose, and to no fault of the server. */
  'refused-for-our-value',
  'login-sent',
  'profile-sent',
  'logout-sent',
  'cpassword-equal',
  'cpassword-different',
  'cpassword-missing',
  'email-again',
  'email-in-other-case',
  'email-with-spaces',
  'password-of-1',
  'password-of-7',
  'password-common',
  'password-of-80',
  /** A login with the first 72 bytes of a password of 80. */
  'password-cut-at-72',
  'field-missing',
  'field-empty',
  'field-of-other-type',
  'field-too-long',
  'email-malformed',
  'email-without-dot',
  'login-with-other-case',
  'login-with-spaces',
  'wrong-password',
  'unknown-email',
  /** A flag. */
  'told-apart-by-answer',
  /** Times. */
  'told-apart-by-time',
  /** The place as a text, such as `body.data.access_token`; never a value. */
  'token-place',
  /** A choice of `id-and-opaque`, `jwt` and `other`. */
  'token-form',
  /** A flag for each. */
  'two-logins-two-tokens',
  'first-token-after-second-login',
  /** Seconds, the choice `never-ends`, or none. */
  'token-lifetime',
  /** A list, or none. */
  'token-scopes',
  /** What a JSON Web Token says of itself: a text, a list, and two dates or none. */
  'token-algorithm',
  'token-claims',
  'token-issued',
  'token-ends',
  /** Bits, or the choice `signature-only`. */
  'token-randomness',
  /** A flag, or none where no two logins came within one second. */
  'same-token-in-one-second',
  /** Replies, by operation. */
  'token-missing',
  'token-malformed',
  'token-foreign',
  /** Replies to a token that was changed. The last one is for a token that is no JSON Web Token. */
  'token-signature-cut',
  'token-signature-altered',
  'token-other-key',
  'token-alg-none',
  'token-claim-changed',
  'token-character-changed',
  'scheme-in-lower-case',
  /** A choice of `own`, `another` and `unclear`. */
  'profile-whose',
  /** Replies. */
  'profile-after-logout',
  'other-token-after-logout',
  'logout-again',
  /** The place of the message in a refusal, as a text. */
  'message-place',
  /** The place of the errors by field, as a text, or the choice `in-words`. */
  'field-errors-place',
  /** Replies, by operation. */
  'body-not-json',
  'body-no-object',
  'without-accept',
  'wrong-method',
  'unknown-path',
  'unknown-version',
  /** A flag for each: whether it was seen in any answer of the run. */
  'stack-trace-seen',
  'debug-page-seen',
  'sent-password-seen',
  'password-hash-seen',
  'rate-headers-seen',
  'deprecation-seen',
  'events-seen',
  /** Headers. */
  'headers-sent',
  /** A choice of `none`, `any-origin`, `echoes-origin` and `other-origin`. */
  'cors',
  /** A choice of `plain-http` and `https`. */
  'encryption',
  /** A text, such as `TLSv1.3`. */
  'tls-version',
  /** A date. */
  'certificate-ends',
  /** Bytes. */
  'largest-body-accepted',
  'smallest-body-refused',
  /** A count, and seconds or none. */
  'failures-before-throttling',
  'throttling-wait',
  /** Replies to two calls at once. */
  'raced-one',
  'raced-other',
  /** Counts: the registrations that were accepted, the passwords that log in, the tokens that work. */
  'raced-registrations-accepted',
  'raced-passwords-that-work',
  'raced-tokens-that-work',
  /** A list of paths. */
  'other-paths',
  /** A flag for each. */
  'login-right-after-registration',
]);
export type Question = z.infer<typeof Question>;
