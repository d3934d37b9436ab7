import type { InputViolation, FieldViolation, MockRules } from './mock-definition.ts';
import { violationKey } from './input-violations.ts';

type Operation = 'registro' | 'register' | 'login';
type Verdicts = Pick<MockRules, 'registration' | 'registrationAtRegistro' | 'login' | 'registrationTrims'>;

const listOf = { register: 'registration', registro: 'registrationAtRegistro', login: 'login' } as const;

/** What is refused where nothing near was measured: what nobody can work with. */
const refusedUnseen: Record<FieldViolation['field'], readonly InputViolation[]> = {
  name: ['missing', 'empty', 'other-type', 'long'],
  email: ['missing', 'empty', 'other-type', 'malformed', 'long'],
  password: ['missing', 'empty', 'other-type', 'short', 'long'],
  cpassword: ['missing', 'empty', 'other-type', 'different'],
};
const refusedUnseenAtLogin: ReadonlySet<InputViolation> = new Set(['missing', 'empty', 'other-type']);

function verdictOf(verdicts: Verdicts, operation: Operation, problem: FieldViolation): boolean | undefined {
  const { field, oddity } = problem;
  const at = (where: Operation, what: FieldViolation = problem): boolean | undefined =>
    verdicts[listOf[where]].find((each) => violationKey(each) === violationKey(what))?.isRefused;
  const own = at(operation);
  if (own !== undefined) return own;
  // Whether the password is to be repeated differs between the paths.
  if (operation !== 'login' && field !== 'cpassword') {
    const other = at(operation === 'registro' ? 'register' : 'registro');
    if (other !== undefined) return other;
  }
  // Most servers that look at an address want a dot and no blanks, unless they were seen to trim it.
  const isTrimmed = operation === 'login' || verdicts.registrationTrims.calls.length > 0;
  return oddity === 'without-dot' || (oddity === 'with-spaces' && !isTrimmed)
    ? verdictOf(verdicts, operation, { field, oddity: 'malformed' })
    : undefined;
}

/** Returns the odd things about a body that a server refuses, as measured, or as the nearest that was measured. */
export const rejectedViolations = (
  verdicts: Verdicts,
  operation: Operation,
  odd: readonly FieldViolation[],
): FieldViolation[] =>
  odd.filter((problem) => {
    const known = verdictOf(verdicts, operation, problem);
    if (known !== undefined) return known;
    if (operation === 'login') return refusedUnseenAtLogin.has(problem.oddity);
    const isRepeatedAnyway = operation === 'registro' && problem.field === 'cpassword';
    return !isRepeatedAnyway && refusedUnseen[problem.field].includes(problem.oddity);
  });
