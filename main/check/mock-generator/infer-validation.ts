import type { LoginBy } from '../../interface/identifiers.ts';
import { type FieldViolation, type MockRules, MockField } from '../../service/mock/mock-definition.ts';
import {
  violationKey,
  findLoginViolations,
  findRegistrationViolations,
  lengthLimitsOf,
  type LengthLimits,
} from '../../service/mock/input-violations.ts';
import { isAcceptedCall, answerSignature, type AnalyzedCall, isRefusedCall } from './analyzed-calls.ts';
import type { MockInference } from './mock-inference.ts';

type Verdicts = MockRules['login'];

/** The violations in one body, and whether the server accepted it. */
type TriedBody = { problems: readonly FieldViolation[]; call: AnalyzedCall; isAccepted: boolean };

/**
 * Decides for each violation whether the server refuses it. What was in an accepted body is not refused. A refusal is for
 * the one violation that is left; where several are left, one that is refused elsewhere explains it.
 * @param elsewhere what was inferred of the other path
 */
function verdictsOf(tried: readonly TriedBody[], elsewhere: Verdicts = []): Verdicts {
  const verdicts = new Map<string, Verdicts[number]>();
  const put = (problem: FieldViolation, isRefused: boolean, { id }: AnalyzedCall): void => {
    const known = verdicts.get(violationKey(problem));
    if (known) known.calls.push(id);
    else verdicts.set(violationKey(problem), { ...problem, isRefused, calls: [id] });
  };
  for (const { problems, call } of tried.filter((each) => each.isAccepted)) {
    for (const problem of problems) put(problem, false, call);
  }
  const verdictOf = (problem: FieldViolation) => verdicts.get(violationKey(problem));
  /** Whether the password is to be repeated differs between the paths. */
  const isRefusedElsewhere = (problem: FieldViolation): boolean =>
    problem.field !== 'cpassword' &&
    elsewhere.some((each) => each.isRefused && violationKey(each) === violationKey(problem));
  const open = (problems: readonly FieldViolation[]): FieldViolation[] =>
    problems.filter((each) => verdictOf(each)?.isRefused !== false);
  const refused = tried.filter((each) => !each.isAccepted);
  for (const { problems, call } of refused) {
    const [only, ...more] = open(problems);
    if (only && more.length === 0) put(only, true, call);
  }
  for (const { problems, call } of refused) {
    const left = open(problems);
    if (left.length < 2 || left.some((each) => verdictOf(each)?.isRefused || isRefusedElsewhere(each))) continue;
    for (const problem of left) put(problem, true, call);
  }
  return [...verdicts.values()];
}

/**
 * Which violations are refused in a registration at one path. Taken emails are refused for themselves.
 * @param elsewhere what was inferred of the other path
 */
export async function inferRegistrationValidation(
  registrations: readonly AnalyzedCall[],
  path: 'registro' | 'register',
  { rules, repeatedEmails }: Pick<MockInference, 'rules' | 'repeatedEmails'>,
  elsewhere: Verdicts = [],
): Promise<Verdicts> {
  const lengths = lengthLimitsOf(rules);
  const tried: TriedBody[] = [];
  for (const call of registrations) {
    if (call.operation !== path || !call.sent) continue;
    if (call.handling === 'throttled' || repeatedEmails.isTaken(call)) continue;
    const problems = await findRegistrationViolations(call.sent, path, lengths);
    tried.push({ problems, call, isAccepted: isAcceptedCall(call) });
  }
  return verdictsOf(tried, elsewhere);
}

/** Which violations are refused in a login: those that are answered otherwise than an unknown email. */
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
    logins.map((call) => ({
      problems: findLoginViolations(call.sent ?? {}, lengths, loginBy),
      call,
      isAccepted: isAcceptedCall(call) || plain.has(answerSignature(call)),
    })),
  );
}

/** The order of a form, where the run did not show another one. */
const ofForm: readonly MockField[] = ['name', 'email', 'password', 'cpassword'];
const mostCalls = 5;

type RegistrationVerdicts = Pick<MockRules, 'registration' | 'registrationAtRegistro'>;

const isField = (name: string): name is MockField => MockField.options.some((each) => each === name);

/** The fields that a refusal names, in its order. */
const namedIn = ({ observation }: AnalyzedCall): MockField[] =>
  Object.keys(observation.reading.summary.fieldErrors ?? {}).filter((name) => isField(name));

/** The fields that this body lacks, which every server refuses. */
const missingIn = ({ sent = {} }: AnalyzedCall): MockField[] =>
  ofForm.filter((field) => sent[field] === undefined || sent[field] === '');

/** Whether a body has two fields that are refused alone, too. What a repeated password has to be depends on the password. */
async function hasTwoInvalidFields(
  { operation, sent = {} }: AnalyzedCall,
  { registration, registrationAtRegistro }: RegistrationVerdicts,
  lengths: LengthLimits,
): Promise<boolean> {
  const path = operation === 'register' ? operation : 'registro';
  const verdicts = path === 'register' ? registration : registrationAtRegistro;
  const refused = new Set(verdicts.filter(({ isRefused }) => isRefused).map(violationKey));
  const found = await findRegistrationViolations(sent, path, lengths);
  const rejected = found.filter((each) => refused.has(violationKey(each)));
  return new Set(rejected.map(({ field }) => field).filter((field) => field !== 'cpassword')).size > 1;
}

/**
 * Whether refusals name all problems of a body, and which field a server checks first: the one that it names before
 * another, or alone although another is missing, too.
 */
export async function inferErrorReporting(
  registrations: readonly AnalyzedCall[],
  rules: MockRules,
): Promise<Pick<MockRules, 'tellsAllProblems' | 'fieldOrder'>> {
  const lengths = lengthLimitsOf(rules);
  const refused = registrations.filter((each) => isRefusedCall(each));
  const several = refused.filter((each) => namedIn(each).length > 1);
  const firstOnly: AnalyzedCall[] = [];
  for (const each of refused) {
    if (namedIn(each).length === 1 && (await hasTwoInvalidFields(each, rules, lengths))) firstOnly.push(each);
  }
  const before = new Map<MockField, Set<MockField>>();
  const shown: AnalyzedCall[] = [];
  for (const each of refused) {
    const fields = namedIn(each);
    const [only] = fields;
    const missing = fields.length === 1 && only !== undefined && missingIn(each).includes(only) ? missingIn(each) : [];
    const order = [...fields, ...missing.filter((field) => !fields.includes(field))];
    // Where several are missing and one is named, nothing is known of the order of the others.
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
      // Our own service names all.
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
