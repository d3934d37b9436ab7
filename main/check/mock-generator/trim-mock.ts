import type { MockRemark } from '../../../preload/contract/mock-details.ts';
import {
  mockFileLimits,
  type MockResponse,
  type Placeholder,
  type Segment,
  type Template,
  type TextTemplate,
  type TokenForm,
} from '../../service/mock/mock-definition.ts';

/** Levels of a template. Each takes three of JSON, of which a mock file has 64, some of them above the template. */
const MOST_LEVELS = 18;
/** What all answers have together. A mock file may have 200 000 values and 5 MB. */
const most = { values: 120_000, characters: 3_500_000 };
/** What a value takes in the file beside its text: its name, its brackets and the blanks before it. */
const CHARACTERS_AROUND_VALUE = 24;

type Note = <T>(cut: T) => T;

const upTo = <T>(list: readonly T[], length: number, note: Note): readonly T[] =>
  list.length > length ? note(list.slice(0, length)) : list;

function trimSegment(each: Segment, note: Note): Segment[] {
  if ('text' in each) {
    const { text } = each;
    return text.length > mockFileLimits.segment ? note([{ text: text.slice(0, mockFileLimits.segment) }]) : [each];
  }
  if ('moment' in each) return [each];
  const { of, count } = each;
  const whole = Array.from({ length: Math.floor(count / mockFileLimits.drawn) }, () => ({
    of,
    count: mockFileLimits.drawn,
  }));
  const rest = count % mockFileLimits.drawn;
  return rest === 0 ? whole : [...whole, { of, count: rest }];
}

const trimSegments = (given: readonly Segment[], note: Note): Segment[] => [
  ...upTo(
    given.flatMap((each) => trimSegment(each, note)),
    mockFileLimits.segments,
    note,
  ),
];

function trimPlaceholder(given: Placeholder, note: Note): Placeholder {
  if (given.place === 'random' || given.place === 'pending-login' || given.place === 'recovery-code')
    return { ...given, segments: trimSegments(given.segments, note) };
  if (given.place !== 'id' || given.form.kind !== 'made-up') return given;
  return { ...given, form: { ...given.form, segments: trimSegments(given.form.segments, note) } };
}

/** Cuts answers and token forms to the limits of a mock file: a server decides how long, deep and many its values are. */
export function createTrimmer(addRemark: (remark: MockRemark) => void) {
  let { values, characters } = most;
  const note: Note = (cut) => {
    addRemark({ kind: 'did-not-fit' });
    return cut;
  };
  /** Takes the room of a value; false if none is left. */
  function takeRoom(text: unknown = ''): boolean {
    values -= 1;
    characters -= JSON.stringify(text).length + CHARACTERS_AROUND_VALUE;
    return values > 0 && characters > 0;
  }
  const cut = (text: string): string =>
    text.length > mockFileLimits.characters ? note(text.slice(0, mockFileLimits.characters)) : text;

  const text = (parts: TextTemplate): TextTemplate =>
    upTo(parts, mockFileLimits.parts, note).flatMap((part) => {
      if (!takeRoom(part)) return note([]);
      return [typeof part === 'string' ? cut(part) : trimPlaceholder(part, note)];
    });

  function template(given: Template, depth = 1): Template {
    if (depth > MOST_LEVELS || !takeRoom()) return note({ constant: null });
    if ('value' in given)
      return takeRoom(given.value) ? { value: trimPlaceholder(given.value, note) } : note({ constant: null });
    if ('text' in given) return { text: text(given.text) };
    if ('list' in given) return { list: given.list.map((each) => template(each, depth + 1)) };
    if ('fields' in given) {
      const isShort = (name: string | TextTemplate): boolean =>
        typeof name !== 'string' || name.length <= mockFileLimits.name;
      const named = given.fields.filter(([name]) => isShort(name) || note(false));
      return {
        fields: named.flatMap(([name, each]): [string | TextTemplate, Template][] =>
          takeRoom(name) ? [[name, template(each, depth + 1)]] : note([]),
        ),
      };
    }
    if (!takeRoom('number' in given ? given.number : given.constant)) return note({ constant: null });
    if ('number' in given) return given.number.length > mockFileLimits.characters ? note({ constant: null }) : given;
    return typeof given.constant === 'string' ? { constant: cut(given.constant) } : given;
  }

  return {
    answer(given: MockResponse): MockResponse {
      const { body } = given;
      return {
        ...given,
        headers: upTo(given.headers, mockFileLimits.headers, note).map(([name, parts]) => [name, text(parts)]),
        body:
          body.kind === 'json'
            ? { ...body, template: template(body.template) }
            : body.kind === 'text'
              ? { kind: 'text', text: text(body.text) }
              : body,
      };
    },

    token(given: TokenForm): TokenForm {
      if (given.kind === 'jwt') return { ...given, header: template(given.header), claims: template(given.claims) };
      const parts = given.segments.flatMap((each): (Segment | Placeholder)[] =>
        'place' in each ? [trimPlaceholder(each, note)] : trimSegment(each, note),
      );
      return { ...given, segments: [...upTo(parts, mockFileLimits.segments, note)] };
    },
  };
}
