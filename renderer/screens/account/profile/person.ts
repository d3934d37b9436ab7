import type { SentRow, SentValue, User } from '../../../../preload/contract/models.ts';
import { hasVisibleText } from '../../../display-name.ts';
import { memoizeByLocale, capitalize, formatDate } from '../../../format.ts';
import { innerOf } from './fact-value.tsx';
import { fieldLabel, meaningOf, type FieldName } from './field-labels.ts';
import { sayItems, sayShort } from './say-preview.ts';
import { language, t } from '../../../i18n.ts';

/** A fact that stands below the name of a person: one value in large, and what belongs to it in small. */
export interface Fact {
  label: string;
  says: string;
  beside?: string | undefined;
  row: SentRow;
}

/** A profile, parted into what a page about a person shows where. */
export interface Person {
  picture: SentRow | undefined;
  /** Whether the server says that the email was confirmed, and when. Undefined where it says nothing. */
  confirmed: { yes: boolean; at?: string | undefined } | undefined;
  facts: Fact[];
  /** Values that stand in one line each. */
  flat: SentRow[];
  /** Values that have others within them. */
  nested: SentRow[];
  /** What the server sent without a value. */
  empty: SentRow[];
}

/** Fewer facts than this stand among the others. */
const [leastFacts, mostFacts] = [2, 4];

/** What is told first of a person, by the fields that may say it. */
const told: readonly (readonly FieldName[])[] = [
  ['plan'],
  ['roles', 'role'],
  ['language'],
  ['created'],
  ['lastLogin'],
  ['company'],
  ['phone'],
];

/** Parts what the server sent of a person. What is in the head is among the flat values only where keys are shown. */
export function personOf({ rest }: Pick<User, 'rest'>, showsKeys: boolean): Person {
  const rowOf = (names: readonly FieldName[]): SentRow | undefined =>
    rest.find(({ name, value }) => !isEmpty(value) && names.some((each) => each === meaningOf(name)));
  const picture = rest.find(({ value }) => value.is === 'picture');
  const isSaid = rest.find(({ name }) => ['emailConfirmed', 'confirmed'].includes(meaningOf(name) ?? ''));
  const confirmed = isSaid && confirmationIn(isSaid.value);
  const found = told.flatMap((names) => factOf(rowOf(names)) ?? []).slice(0, mostFacts);
  const facts = found.length < leastFacts ? [] : found;
  const inHead = new Set([picture, ...(showsKeys ? [] : [confirmed && isSaid, ...facts.map(({ row }) => row)])]);
  const others = rest.filter((row) => innerOf(row.value) !== undefined || !inHead.has(row));
  return {
    picture,
    confirmed,
    facts,
    flat: others.filter(({ value }) => innerOf(value) === undefined && !isEmpty(value)),
    nested: others.filter(({ value }) => innerOf(value) !== undefined),
    empty: others.filter(({ value }) => isEmpty(value)),
  };
}

const isEmpty = (value: SentValue): boolean =>
  value.is === 'nothing' ||
  (value.is === 'text' && value.text.trim() === '' && value.left === undefined) ||
  (value.is === 'list' && value.items.length === 0) ||
  (value.is === 'fields' && value.fields.length === 0);

function confirmationIn(value: SentValue): Person['confirmed'] {
  if (value.is === 'nothing') return { yes: false };
  if (value.is === 'flag') return { yes: value.yes };
  if (value.is === 'moment') return { yes: true, at: formatDate(new Date(value.at), 'date') };
  return value.is === 'day' ? { yes: true, at: formatDate(value.day, 'day') } : undefined;
}

function factOf(row: SentRow | undefined): Fact | undefined {
  const meaning = row && meaningOf(row.name);
  if (!row || !meaning) return undefined;
  const [says, beside] = meaning === 'language' ? languageIn(row.value) : partsOf(row.value);
  if (says === undefined) return undefined;
  const label = meaning === 'created' ? t('profile.memberSince') : fieldLabel(row.name);
  return { label, says: capitalize(says), beside, row };
}

type Parts = [says?: string | undefined, beside?: string | undefined];

function partsOf(value: SentValue): Parts {
  if (value.is === 'list') {
    const [first, ...others] = sayItems(value.items);
    return [first, others.length === 0 ? undefined : t('profile.andOthers', { others: others.join(', ') })];
  }
  if (value.is === 'fields') {
    const [first, second] = value.fields.flatMap((field) => sayShort(field) ?? []);
    return [first, second];
  }
  if (value.is === 'day') return [formatDate(value.day, 'day'), sayAge(Date.parse(value.day))];
  if (value.is === 'moment') return [formatDate(new Date(value.at), 'date'), sayAge(Date.parse(value.at))];
  return value.is === 'flag' ? [] : [sayShort({ name: '', value })?.trim()];
}

const languages = memoizeByLocale((spoken) => new Intl.DisplayNames(spoken, { type: 'language' }));
const regions = memoizeByLocale((spoken) => new Intl.DisplayNames(spoken, { type: 'region' }));

/** Says a tag such as `es-CL` by its language and its country. What is no tag stays as it is. */
function languageIn(value: SentValue): Parts {
  if (value.is !== 'text') return [];
  try {
    const tag = new Intl.Locale(value.text.trim().replaceAll('_', '-'));
    return [languages().of(tag.language), tag.region && regions().of(tag.region)];
  } catch {
    return value.text.length > 40 ? [] : [value.text];
  }
}

const spans = [
  ['year', 365.2425 * 86_400_000],
  ['month', 30.436875 * 86_400_000],
  ['day', 86_400_000],
] as const;

/** Says how long ago a moment was, in whole years, else in months or days. Undefined on its first day. */
function sayAge(ms: number): string | undefined {
  const age = Date.now() - ms;
  const [unit, length] = spans.find((span) => age >= span[1]) ?? [];
  if (unit === undefined) return undefined;
  return new Intl.NumberFormat(language(), { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.floor(age / length),
  );
}

/** What a person is called: by the first of these that anything of is seen. */
export const titleOf = ({ name, email, id }: User): string | undefined =>
  [name, email, id].find((text) => text !== undefined && hasVisibleText(text))?.trim();

/** The email that stands below the title, unless it is the title. */
export const mailOf = (user: User): string | undefined =>
  user.email !== undefined && hasVisibleText(user.email) && user.email.trim() !== titleOf(user)
    ? user.email
    : undefined;

/** How many single values there are within a value. */
export function leavesOf(value: SentValue): number {
  const inner = value.is === 'list' ? value.items : value.is === 'fields' ? value.fields.map((each) => each.value) : [];
  return inner.length === 0 ? 1 : inner.reduce((count, each) => count + leavesOf(each), 0);
}

/** The names of the fields that have no value, each once. */
export const emptyNames = (user: User, { empty }: Person): string[] => [
  ...new Set([
    ...(['name', 'email', 'id'] as const)
      // What the server never sent is not empty, and what came as null has a row.
      .filter((field) => user[field]?.trim() === '')
      .map((field) => t(`profile.${field}`)),
    ...empty.map(({ name }) => fieldLabel(name)),
  ]),
];
