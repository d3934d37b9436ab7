import type { LoginBy } from '../../interface/identifiers.ts';
import { type FieldViolation, type MockRules, MockField } from '../../service/mock/mock-definition.ts';
import {
  violationKey,
  findLoginViolations,
  findRegistrationViolations,
  type LengthLimits,
} from '../../service/mock/input-violations.ts';
import {
  isAcceptedCall,
  answerSignature,
  type AnalyzedCall,
  isRefusedCall,
  isRegistrationCall,
} from './analyzed-calls.ts';

type Verdicts = MockRules['login'];

/** What was odd about one body, and whether the server took it. */
type Odd = { problems: readonly FieldViolation[]; observed: AnalyzedCall; isAccepted: boolean };

/**
 * Says of each odd thing whether the server minds it. What was in a body that was taken, it does not mind. A refusal is
 * for the one odd thing that is left; where several are left, one that is refused elsewhere explains it.
 * @param elsewhere what was learned of the other path
 */
function verdictsOf(odd: readonly Odd[], elsewhere: Verdicts = []): Verdicts {
  const verdicts = new Map<string, Verdicts[number]>();
  const put = (problem: FieldViolation, isRefused: boolean, { id }: AnalyzedCall): void => {
    const known = verdicts.get(violationKey(problem));
    if (known) known.calls.push(id);
    else verdicts.set(violationKey(problem), { ...problem, isRefused, calls: [id] });
  };
  for (const { problems, observed } of odd.filter((each) => each.isAccepted)) {
    for (const problem of problems) put(problem, false, observed);
  }
  const verdictOf = (problem: FieldViolation) => verdicts.get(violationKey(problem));
  /** Whether the password is to be repeated differs between the paths. */
  const isRefusedElsewhere = (problem: FieldViolation): boolean =>
    problem.field !== 'cpassword' &&
    elsewhere.some((each) => each.isRefused && violationKey(each) === violationKey(problem));
  const open = (problems: readonly FieldViolation[]): FieldViolation[] =>
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
export async function inferRegistrationValidation(
  all: readonly AnalyzedCall[],
  path: 'registro' | 'register',
  lengths: LengthLimits,
  isTaken: (observed: AnalyzedCall) => boolean,
  elsewhere: Verdicts = [],
): Promise<Verdicts> {
  const odd: Odd[] = [];
  for (const observed of all) {
    if (observed.operation !== path || !observed.sent) continue;
    if (observed.handling === 'throttled' || isTaken(observed)) continue;
    const problems = await findRegistrationViolations(observed.sent, path, lengths);
    odd.push({ problems, observed, isAccepted: isAcceptedCall(observed) });
  }
  return verdictsOf(odd, elsewhere);
}

/** Learns what the server minds in the body of a login: what it answers otherwise than to an unknown email. */
export function inferLoginValidation(all: readonly AnalyzedCall[], lengths: LengthLimits, loginBy: LoginBy): Verdicts {
  const logins = all.filter(
    ({ operation, method, sent, handling }) =>
      operation === 'login' && method === 'POST' && sent !== undefined && handling !== 'throttled',
  );
  const plain = new Set(
    logins
      .filter((each) => !isAcceptedCall(each) && findLoginViolations(each.sent ?? {}, lengths, loginBy).length === 0)
      .map((each) => answerSignature(each)),
  );
  return verdictsOf(
    logins.map((observed) => ({
      problems: findLoginViolations(observed.sent ?? {}, lengths, loginBy),
      observed,
      isAccepted: isAcceptedCall(observed) || plain.has(answerSignature(observed)),
    })),
  );
}

/** The order of a form, where the run did not show another one. */
const ofForm: readonly MockField[] = ['name', 'email', 'password', 'cpassword'];
const mostCalls = 5;

type VerdictsOfPaths = Pick<MockRules, 'registration' | 'registrationAtRegistro'>;

const isField = (name: string): name is MockField => MockField.options.some((each) => each === name);

/** Returns the fields that a refusal tells of, in its order. */
const toldIn = ({ observation }: AnalyzedCall): MockField[] =>
  Object.keys(observation.reading.summary.fieldErrors ?? {}).filter((name) => isField(name));

/** Returns the fields without which this body was refused: what lacks is wrong for everybody. */
const lackingIn = ({ sent = {} }: AnalyzedCall): MockField[] =>
  ofForm.filter((field) => sent[field] === undefined || sent[field] === '');

/**
 * Says whether a body was wrong in two fields for sure, each of which is refused alone. What a repeated password is to be
 * depends on the password.
 */
async function isWrongTwice(
  { operation, sent = {} }: AnalyzedCall,
  { registration, registrationAtRegistro }: VerdictsOfPaths,
  lengths: LengthLimits,
): Promise<boolean> {
  const path = operation === 'register' ? operation : 'registro';
  const verdicts = path === 'register' ? registration : registrationAtRegistro;
  const refused = new Set(verdicts.filter(({ isRefused: minds }) => minds).map(violationKey));
  const odd = (await findRegistrationViolations(sent, path, lengths)).filter((each) => refused.has(violationKey(each)));
  return new Set(odd.map(({ field }) => field).filter((field) => field !== 'cpassword')).size > 1;
}

/**
 * Says whether refusals tell all that is wrong with a body, and of which field a server speaks first: it does so of one
 * that it tells before another, or alone where another lacks, too.
 */
export async function inferErrorReporting(
  all: readonly AnalyzedCall[],
  verdicts: VerdictsOfPaths,
  lengths: LengthLimits,
): Promise<Pick<MockRules, 'tellsAllProblems' | 'fieldOrder'>> {
  const told = all.filter((each) => isRegistrationCall(each) && isRefusedCall(each));
  const several = told.filter((each) => toldIn(each).length > 1);
  const firstOnly: AnalyzedCall[] = [];
  for (const each of told) {
    if (toldIn(each).length === 1 && (await isWrongTwice(each, verdicts, lengths))) firstOnly.push(each);
  }
  const before = new Map<MockField, Set<MockField>>();
  const shown: AnalyzedCall[] = [];
  for (const each of told) {
    const fields = toldIn(each);
    const [only] = fields;
    const lacking = fields.length === 1 && only !== undefined && lackingIn(each).includes(only) ? lackingIn(each) : [];
    const order = [...fields, ...lacking.filter((field) => !fields.includes(field))];
    // Where several lack and one is told, nothing is said of the others among each other.
    const pairs = fields.length === 1 ? order.slice(1).map((later) => [only, later] as const) : pairsOf(order);
    if (pairs.length > 0) shown.push(each);
    for (const [first, later] of pairs) {
      if (first !== undefined && !before.get(later)?.has(first)) {
        before.set(first, (before.get(first) ?? new Set()).add(later));
      }
    }
  }
  return {
    tellsAllProblems: {
      // Our own service tells all.
      value: several.length > 0 || firstOnly.length === 0,
      calls: [...several, ...(several.length > 0 ? [] : firstOnly)].slice(0, mostCalls).map(({ id }) => id),
    },
    fieldOrder: { value: inOrder(before), calls: shown.slice(0, mostCalls).map(({ id }) => id) },
  };
}

const pairsOf = (order: readonly MockField[]): (readonly [MockField, MockField])[] =>
  order.flatMap((first, at) => order.slice(at + 1).map((later) => [first, later] as const));

/** Puts the fields in an order that keeps to all pairs, and else to that of the form. */
function inOrder(before: ReadonlyMap<MockField, ReadonlySet<MockField>>): MockField[] {
  const left = [...ofForm];
  const order: MockField[] = [];
  while (left.length > 0) {
    const isFirst = (field: MockField): boolean => left.every((other) => !before.get(other)?.has(field));
    const at = Math.max(0, left.findIndex(isFirst));
    order.push(...left.splice(at, 1));
  }
  return order;
}
