import type { Report } from '../../preload/contract/report.ts';
import type { CaseAnswer, CaseResult } from '../../preload/contract/report-cases.ts';
import { answersOf } from '../service/support/run-check.ts';
import type { Known, RunLines } from './known-server.ts';

type Value = CaseAnswer['value'];
type TextLine = { [L in keyof RunLines]: RunLines[L] extends string ? L : never }[keyof RunLines];

/** Where a run has what each line is about: the case, the question, its subject. Several are said one after the other. */
const places = (path: Known['registersAt']): Record<TextLine, string[]> => ({
  'paths of registration': ['registration.both-paths paths-served'],
  'a registration': [`registration.answer success-status ${path}`, `registration.answer token-at-registration ${path}`],
  'a different cpassword': [`registration.cpassword-at-${path} cpassword-different ${path}`],
  'an email again': ['registration.repeated-email email-again'],
  'an email in other case': ['registration.repeated-email email-in-other-case'],
  'a password of 1': ['registration.password-strength password-of-1'],
  'a password of 7': ['registration.password-strength password-of-7'],
  'a common password': ['registration.password-strength password-common'],
  'a password cut at 72': [
    'registration.long-password password-of-80',
    'registration.long-password password-cut-at-72',
  ],
  'no email at registration': ['registration.missing-field field-missing email'],
  'a number as password at registration': ['registration.other-type field-of-other-type password'],
  'a malformed email': ['registration.malformed-email email-malformed'],
  'a login': ['login.answer success-status login', 'token.source token-place login'],
  'a wrong password': ['login.refusal wrong-password login'],
  'an unknown email': ['login.refusal unknown-email login'],
  'told apart by the answer': ['login.told-apart-by-answer told-apart-by-answer'],
  'an object as email at login': ['login.fields field-of-other-type email'],
  'the token': ['token.source token-form'],
  'its life': ['token.lifetime token-lifetime'],
  'the first token after a second login': ['login.two-tokens first-token-after-second-login'],
  'no token': ['token.missing token-missing profile'],
  'a malformed token': ['token.invalid token-malformed profile'],
  'a token of somebody else': ['token.invalid token-foreign profile'],
  'bearer in lower case': ['token.scheme-case scheme-in-lower-case profile'],
  'the profile': ['profile.answer success-status profile', 'profile.own-user profile-whose'],
  'a logout': ['logout.answer success-status logout'],
  'the token after logout': ['logout.same-token-afterwards profile-after-logout profile'],
  'another token after logout': ['logout.other-tokens-afterwards other-token-after-logout profile'],
  'the place of the message': ['errors.form message-place'],
  'the place of errors by field': ['errors.form field-errors-place'],
  'a body that is no JSON': ['errors.body-not-json body-not-json login'],
  'a wrong method': ['errors.wrong-method wrong-method login'],
  'an unknown path': ['errors.unknown-path unknown-path'],
  'a stack trace': ['errors.internals stack-trace-seen'],
  'a sent password': ['errors.secrets-sent sent-password-seen'],
});

/** Says whether a question was not asked for want of accounts. */
const isUntried = (value: Value): boolean => value.kind === 'none' && 'why' in value && value.why === 'account-limit';

/** Says the values that these questions have as an answer. */
function say(value: Value | undefined): string {
  if (value === undefined || isUntried(value)) return 'not measured';
  if (value.kind === 'status') return String(value.status);
  if (value.kind === 'reply') return `${value.status} ${value.handling}`;
  if (value.kind === 'flag') return value.yes ? 'yes' : 'no';
  if (value.kind === 'choice') return value.choice;
  // Where a token does not say when it was issued, the time of its call counts too.
  if (value.kind === 'seconds') return `${Math.round(value.seconds / 60)} min`;
  if (value.kind === 'text') return value.text.map((part) => (typeof part === 'string' ? part : '…')).join('');
  return value.kind;
}

/**
 * Returns what a run says on each line that it measured.
 * @param isWhole whether nothing was left out, so that the lists of cases and findings say something
 */
export function runLines(report: Report, path: Known['registersAt'], isWhole: boolean): Partial<RunLines> {
  const answers = answersOf(report);
  // Where there is no other token, the answer has no subject.
  const none = answers['logout.other-tokens-afterwards other-token-after-logout'];
  const all: Partial<typeof answers> = {
    ...(none && { 'logout.other-tokens-afterwards other-token-after-logout profile': none }),
    ...answers,
  };
  const measured = Object.entries(places(path)).filter(([, keys]) =>
    keys.some((key) => say(all[key]) !== 'not measured'),
  );
  const texts = measured.map(([line, keys]) => [line, keys.map((key) => say(all[key])).join(', ')]);
  const idsOf = (isWanted: (each: CaseResult) => boolean) => report.cases.filter(isWanted).map(({ id }) => id);
  return {
    // The keys are those of the table.
    ...(Object.fromEntries(texts) as Partial<Record<TextLine, string>>),
    ...(isWhole && {
      'failed cases': idsOf(({ outcome }) => outcome === 'failed'),
      'cases not measured': idsOf((each) => each.outcome === 'not-measured' && each.reason.kind !== 'not-asked'),
      findings: report.findings.map(({ id }) => id).toSorted(),
    }),
  };
}
