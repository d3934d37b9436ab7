import type { Problem, Rules } from '../service/double/model.ts';
import { keyOfProblem, oddOfLogin, oddOfRegistration, type Lengths } from '../service/double/oddities.ts';
import { isAccepted, signatureOf, type Observed } from './observed.ts';

type Verdicts = Rules['login'];

/** What was odd about one body, and whether the server took it. */
type Odd = { problems: readonly Problem[]; observed: Observed; isAccepted: boolean };

/**
 * Says of each odd thing whether the server minds it. What was in a body that was taken, it does not mind. A refusal is
 * for the one odd thing that is left; where several are left, one that is refused elsewhere explains it.
 * @param elsewhere what was learned of the other path
 */
function verdictsOf(odd: readonly Odd[], elsewhere: Verdicts = []): Verdicts {
  const verdicts = new Map<string, Verdicts[number]>();
  const put = (problem: Problem, isRefused: boolean, { id }: Observed): void => {
    const known = verdicts.get(keyOfProblem(problem));
    if (known) known.calls.push(id);
    else verdicts.set(keyOfProblem(problem), { ...problem, isRefused, calls: [id] });
  };
  for (const { problems, observed } of odd.filter((each) => each.isAccepted)) {
    for (const problem of problems) put(problem, false, observed);
  }
  const verdictOf = (problem: Problem) => verdicts.get(keyOfProblem(problem));
  /** Whether the password is to be repeated differs between the paths. */
  const isRefusedElsewhere = (problem: Problem): boolean =>
    problem.field !== 'cpassword' &&
    elsewhere.some((each) => each.isRefused && keyOfProblem(each) === keyOfProblem(problem));
  const open = (problems: readonly Problem[]): Problem[] =>
    problems.filter((each) => verdictOf(each)?.isRefused !== false);
  const refused = odd.filter((each) => !each.isAccepted);
  for (const { problems, observed } of refused) {
    const [only, ...more] = open(problems);
    if (only && more.length === 0) put(only, true, observed);
  }
  for (const { problems, observed } of refused) {
    const left = open(problems);
    if (left.length < 2 || left.some((each) => verdictOf(each)?.isRefused || isRefusedElsewhere(each))) continue;
    for (const problem of left) put(problem, true, observed);
  }
  return [...verdicts.values()];
}

/** Learns what the server minds in the body of a registration at one path. Taken emails are refused for themselves. */
export async function learnRegistrationVerdicts(
  all: readonly Observed[],
  path: 'registro' | 'register',
  lengths: Lengths,
  isTaken: (observed: Observed) => boolean,
  elsewhere: Verdicts = [],
): Promise<Verdicts> {
  const odd: Odd[] = [];
  for (const observed of all) {
    if (observed.operation !== path || !observed.sent) continue;
    if (observed.handling === 'throttled' || isTaken(observed)) continue;
    const problems = await oddOfRegistration(observed.sent, path, lengths);
    odd.push({ problems, observed, isAccepted: isAccepted(observed) });
  }
  return verdictsOf(odd, elsewhere);
}

/** Learns what the server minds in the body of a login: what it answers otherwise than to an unknown email. */
export function learnLoginVerdicts(all: readonly Observed[], lengths: Lengths): Verdicts {
  const logins = all.filter(
    ({ operation, method, sent, handling }) =>
      operation === 'login' && method === 'POST' && sent !== undefined && handling !== 'throttled',
  );
  const plain = new Set(
    logins
      .filter((each) => !isAccepted(each) && oddOfLogin(each.sent ?? {}, lengths).length === 0)
      .map((each) => signatureOf(each)),
  );
  return verdictsOf(
    logins.map((observed) => ({
      problems: oddOfLogin(observed.sent ?? {}, lengths),
      observed,
      isAccepted: isAccepted(observed) || plain.has(signatureOf(observed)),
    })),
  );
}
