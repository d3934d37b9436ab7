import { textOrDigits, type LongNumber } from '../client/reading/json.ts';
import type { Place, TimeForm } from '../service/double/model.ts';
import { readByPatterns } from '../service/double/time-patterns.ts';
import type { Known } from './infer.ts';
import { readEpoch, readTime } from './shapes.ts';

const nearMs = 5000;
const updateName = /updat|modif|actuali/i;
const creationName = /creat|crea(?:do|ted|cion)|regist|join|since|alta/i;
const endName = /exp|venc|cadu|until|end/i;

/** A moment that a value may tell, which is any within a step. */
type ReadMoment = { ms: number; stepMs: number; form: TimeForm };

/** Returns every moment that a value may tell: `01/02/2026` may be in January or in February. */
function momentsIn(value: string | number | LongNumber): ReadMoment[] {
  const isText = typeof value === 'string';
  const plain = (isText ? readTime(value) : undefined) ?? readEpoch(textOrDigits(value), isText);
  if (plain) return [{ ...plain, stepMs: 0 }];
  if (!isText) return [];
  return readByPatterns(value).map(({ ms, stepMs, pattern }) => ({ ms, stepMs, form: { kind: 'pattern', pattern } }));
}

const sayOf = (form: TimeForm): string => (form.kind === 'pattern' ? form.pattern : form.kind);

const distance = ({ ms, stepMs }: ReadMoment, moment: number): number =>
  moment < ms ? ms - moment : Math.max(0, moment - ms - stepMs);

function placeOf(name: string, read: readonly ReadMoment[], knowns: readonly Known[]): Place | undefined {
  const [first] = read;
  if (!first) return undefined;
  const isNear = (momentOf: (known: Known) => number | undefined): boolean =>
    read.every((each, at) => {
      const known = knowns[at];
      const moment = known && momentOf(known);
      return moment !== undefined && distance(each, moment) <= nearMs;
    });
  /** Of somebody whom the run did not register, nobody knows when that was, and the others tell what the time is. */
  const isCreated = (): boolean => {
    const ours = knowns.flatMap(({ person }, at) => (person?.createdMs === undefined ? [] : [{ at, ...person }]));
    const isNamed = creationName.test(name) || updateName.test(name);
    return (
      knowns.every(({ person }) => person !== undefined) &&
      ours.every(({ at, createdMs = 0 }) => distance(read[at] ?? first, createdMs) <= nearMs) &&
      (ours.length > 0 || isNamed)
    );
  };
  const fitting = {
    expires: isNear(({ atMs, lifetimeSeconds }) =>
      lifetimeSeconds === undefined ? undefined : atMs + lifetimeSeconds * 1000,
    ),
    created: isCreated(),
    now: isNear(({ atMs }) => atMs),
  };
  const { form } = first;
  if (fitting.expires && (endName.test(name) || !fitting.now)) return { place: 'time', of: 'expires', form };
  if (fitting.created && updateName.test(name)) return { place: 'time', of: 'updated', form };
  if (fitting.created && (creationName.test(name) || !fitting.now)) return { place: 'time', of: 'created', form };
  return fitting.now ? { place: 'time', of: 'now', form } : undefined;
}

/** Finds which moment the values of one name tell, in a form that all of them have. */
export function timePlace(
  name: string,
  values: readonly (string | number | LongNumber)[],
  knowns: readonly Known[],
): Place | undefined {
  const read = values.map((value) => momentsIn(value));
  for (const first of read[0] ?? []) {
    const same = read.flatMap((moments) => moments.find(({ form }) => sayOf(form) === sayOf(first.form)) ?? []);
    const place = same.length === values.length ? placeOf(name, same, knowns) : undefined;
    if (place) return place;
  }
  return undefined;
}
