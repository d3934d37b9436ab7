import type {
  MockResponse,
  MockOperation,
  FieldViolation,
  MockDefinition,
  Template,
  TextTemplate,
} from './mock-definition.ts';
import { violationKey, violationsKey } from './input-violations.ts';

/** Puts what a second answer says beside what the first one says: lists grow, and fields that are missing come in. */
function merged(one: Template, other: Template): Template {
  if ('list' in one && 'list' in other) {
    const known = new Set(one.list.map((each) => JSON.stringify(each)));
    return { list: [...one.list, ...other.list.filter((each) => !known.has(JSON.stringify(each)))] };
  }
  if (!('fields' in one) || !('fields' in other)) return one;
  const isSame = (a: string | TextTemplate, b: string | TextTemplate): boolean =>
    JSON.stringify(a) === JSON.stringify(b);
  const fields = one.fields.map(([name, each]): [string | TextTemplate, Template] => {
    const [, its] = other.fields.find(([known]) => isSame(known, name)) ?? [];
    return [name, its === undefined ? each : merged(each, its)];
  });
  const more = other.fields.filter(([name]) => one.fields.every(([known]) => !isSame(known, name)));
  return { fields: [...fields, ...more] };
}

/** An answer that was measured, and the foremost problem that it is about. */
type Covering = { answer: MockResponse; problem: FieldViolation };

/** The measured answer nearest to one problem: to another one of the same field, or to the same one of another field. */
function nearestResponse(
  answers: readonly MockResponse[],
  operation: MockOperation,
  { field, oddity }: FieldViolation,
): MockResponse | undefined {
  const all = answers.filter((each) => each.situation === 'invalid' && each.problems?.length === 1);
  const here = all.filter((each) => each.operation === operation);
  const isOf = (each: MockResponse): boolean => each.problems?.[0]?.field === field;
  return (
    here.find(isOf) ?? all.find(isOf) ?? here.find((each) => each.problems?.[0]?.oddity === oddity) ?? here[0] ?? all[0]
  );
}

/**
 * Finds the answer to a body in which something is wrong.
 * @param others the operations whose answers stand in for those of one
 */
export function createValidationResponses(
  { answers, rules }: Pick<MockDefinition, 'answers' | 'rules'>,
  others: Partial<Record<MockOperation, readonly MockOperation[]>>,
) {
  const byProblems = new Map<string, MockResponse>();
  const keyOf = (operation: string, problems: readonly FieldViolation[]): string =>
    `${operation} ${violationsKey(problems)}`;
  for (const answer of answers) {
    if (answer.situation === 'invalid') byProblems.set(keyOf(answer.operation, answer.problems ?? []), answer);
  }
  const measured = (operation: MockOperation, problems: readonly FieldViolation[]): MockResponse | undefined =>
    byProblems.get(keyOf(operation, problems));

  /** Returns what was answered to one problem alone: of this operation, or else of another one. */
  const ofOne = (operation: MockOperation, problem: FieldViolation): MockResponse | undefined =>
    [operation, ...(others[operation] ?? [])]
      .map((each) => measured(each, [problem]))
      .find((found) => found !== undefined);

  /**
   * Returns the answers that were measured here for some of these problems, those of most problems first, each problem
   * once. A repeated password that is wrong is wrong in whatever way, where the password is so, too.
   */
  function coveringOf(operation: MockOperation, problems: readonly FieldViolation[]): Covering[] {
    const left = new Map(problems.map((each) => [violationKey(each), each]));
    const covering: Covering[] = [];
    /** Says which of the problems is the first that an answer is about. */
    const placeOf = ({ problems: its = [] }: MockResponse): number =>
      problems.findIndex((each) => its.some((known) => violationKey(known) === violationKey(each)));
    const candidates = answers
      .filter((each) => each.operation === operation && each.situation === 'invalid')
      .toSorted((a, b) => (b.problems?.length ?? 0) - (a.problems?.length ?? 0) || placeOf(a) - placeOf(b));
    for (const answer of candidates) {
      const its = answer.problems ?? [];
      const isRepeated = its.length > 1 && problems.some(({ field }) => field === 'cpassword');
      const fits = its.every((each) => left.has(violationKey(each)) || (isRepeated && each.field === 'cpassword'));
      const [first] = its.flatMap((each) => left.get(violationKey(each)) ?? []);
      if (!fits || !first) continue;
      covering.push({ answer, problem: first });
      for (const each of left.values()) {
        if (its.some(({ field, oddity }) => field === each.field && (field === 'cpassword' || oddity === each.oddity)))
          left.delete(violationKey(each));
      }
    }
    for (const problem of left.values()) {
      const answer = ofOne(operation, problem);
      if (answer) covering.push({ answer, problem });
    }
    // Of one field the first is told. What else we call odd, such as a common password, need not be so to the server.
    return [...new Map(covering.toReversed().map((each) => [each.problem.field, each])).values()].toReversed();
  }

  return function invalid(operation: MockOperation, problems: readonly FieldViolation[]): MockResponse | undefined {
    const whole = measured(operation, problems);
    if (whole) return whole;
    const order = rules.fieldOrder.value;
    const rank = ({ problem: { field } }: { problem: FieldViolation }): number =>
      order.includes(field) ? order.indexOf(field) : order.length;
    const sorted = coveringOf(operation, problems).toSorted((a, b) => rank(a) - rank(b));
    const [foremost] = problems.map((problem) => ({ problem })).toSorted((a, b) => rank(a) - rank(b));
    const [first = foremost && nearestResponse(answers, operation, foremost.problem), ...more] = sorted.map(
      ({ answer }) => answer,
    );
    if (!first || !rules.tellsAllProblems.value || first.body.kind !== 'json') return first;
    const template = more.reduce(
      (sum, { body }) => (body.kind === 'json' ? merged(sum, body.template) : sum),
      first.body.template,
    );
    return { ...first, body: { ...first.body, template } };
  };
}
