import { ModelField, type Rules } from '../service/double/model.ts';
import { keyOfProblem, oddOfRegistration, type Lengths } from '../service/double/oddities.ts';
import { isRefused, isRegistration, type Observed } from './observed.ts';

/** The order of a form, where the run did not show another one. */
const ofForm: readonly ModelField[] = ['name', 'email', 'password', 'cpassword'];
const mostCalls = 5;

type Verdicts = Pick<Rules, 'registration' | 'registrationAtRegistro'>;

const isField = (name: string): name is ModelField => ModelField.options.some((each) => each === name);

/** Returns the fields that a refusal tells of, in its order. */
const toldIn = ({ seen }: Observed): ModelField[] =>
  Object.keys(seen.reading.meaning.fieldErrors ?? {}).filter((name) => isField(name));

/** Returns the fields without which this body was refused: what lacks is wrong for everybody. */
const lackingIn = ({ sent = {} }: Observed): ModelField[] =>
  ofForm.filter((field) => sent[field] === undefined || sent[field] === '');

/**
 * Says whether a body was wrong in two fields for sure, each of which is refused alone. What a repeated password is to be
 * depends on the password.
 */
async function isWrongTwice(
  { operation, sent = {} }: Observed,
  { registration, registrationAtRegistro }: Verdicts,
  lengths: Lengths,
): Promise<boolean> {
  const path = operation === 'register' ? operation : 'registro';
  const verdicts = path === 'register' ? registration : registrationAtRegistro;
  const refused = new Set(verdicts.filter(({ isRefused: minds }) => minds).map(keyOfProblem));
  const odd = (await oddOfRegistration(sent, path, lengths)).filter((each) => refused.has(keyOfProblem(each)));
  return new Set(odd.map(({ field }) => field).filter((field) => field !== 'cpassword')).size > 1;
}

/**
 * Says whether refusals tell all that is wrong with a body, and of which field a server speaks first: it does so of one
 * that it tells before another, or alone where another lacks, too.
 */
export async function learnTelling(
  all: readonly Observed[],
  verdicts: Verdicts,
  lengths: Lengths,
): Promise<Pick<Rules, 'tellsAllProblems' | 'fieldOrder'>> {
  const told = all.filter((each) => isRegistration(each) && isRefused(each));
  const several = told.filter((each) => toldIn(each).length > 1);
  const firstOnly: Observed[] = [];
  for (const each of told) {
    if (toldIn(each).length === 1 && (await isWrongTwice(each, verdicts, lengths))) firstOnly.push(each);
  }
  const before = new Map<ModelField, Set<ModelField>>();
  const shown: Observed[] = [];
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

const pairsOf = (order: readonly ModelField[]): (readonly [ModelField, ModelField])[] =>
  order.flatMap((first, at) => order.slice(at + 1).map((later) => [first, later] as const));

/** Puts the fields in an order that keeps to all pairs, and else to that of the form. */
function inOrder(before: ReadonlyMap<ModelField, ReadonlySet<ModelField>>): ModelField[] {
  const left = [...ofForm];
  const order: ModelField[] = [];
  while (left.length > 0) {
    const isFirst = (field: ModelField): boolean => left.every((other) => !before.get(other)?.has(field));
    const at = Math.max(0, left.findIndex(isFirst));
    order.push(...left.splice(at, 1));
  }
  return order;
}
