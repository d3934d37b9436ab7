import type { ProfileField, DisplayValue, UserProfile } from '../../../../preload/contract/models.ts';
import { hasVisibleText } from '../../../display-name.ts';
import { memoizeByLocale, capitalize, formatDate } from '../../../format.ts';
import { nestedFields } from './field-value.tsx';
import { fieldLabel, fieldNameOf, type FieldName } from './field-labels.ts';
import { itemNames, shortPreview } from './value-preview.ts';
import { language, t } from '../../../i18n.ts';

/** A field shown below the name of the user. */
export interface KeyFact {
  label: string;
  value: string;
  /** Shown in small below the value. */
  addition?: string | undefined;
  row: ProfileField;
}

/** The fields of a profile by where the page shows them. */
export interface ProfileSections {
  picture: ProfileField | undefined;
  /** Whether and when the email was confirmed, if the server sends that. */
  confirmed: { yes: boolean; at?: string | undefined } | undefined;
  keyFacts: KeyFact[];
  /** Shown as one line each. */
  flat: ProfileField[];
  /** Shown as a card each. */
  nested: ProfileField[];
  /** Sent without a value. */
  empty: ProfileField[];
}

/** Fewer facts are shown among the other fields. */
const [leastFacts, mostFacts] = [2, 4];

/** The key facts in their order, each with the fields that may contain it. */
const keyFactFields: readonly (readonly FieldName[])[] = [
  ['plan'],
  ['roles', 'role'],
  ['language'],
  ['created'],
  ['lastLogin'],
  ['company'],
  ['phone'],
];

/** The fields of the header are among the flat ones only if keys are shown. */
export function profileSections({ rest }: Pick<UserProfile, 'rest'>, showsKeys: boolean): ProfileSections {
  const rowOf = (names: readonly FieldName[]): ProfileField | undefined =>
    rest.find(({ name, value }) => !isEmpty(value) && names.some((each) => each === fieldNameOf(name)));
  const picture = rest.find(({ value }) => value.is === 'picture');
  const confirmation = rest.find(({ name }) => ['emailConfirmed', 'confirmed'].includes(fieldNameOf(name) ?? ''));
  const confirmed = confirmation && confirmationIn(confirmation.value);
  const found = keyFactFields.flatMap((names) => keyFactOf(rowOf(names)) ?? []).slice(0, mostFacts);
  const keyFacts = found.length < leastFacts ? [] : found;
  const inHeader = new Set([
    picture,
    ...(showsKeys ? [] : [confirmed && confirmation, ...keyFacts.map(({ row }) => row)]),
  ]);
  const others = rest.filter((row) => nestedFields(row.value) !== undefined || !inHeader.has(row));
  return {
    picture,
    confirmed,
    keyFacts,
    flat: others.filter(({ value }) => nestedFields(value) === undefined && !isEmpty(value)),
    nested: others.filter(({ value }) => nestedFields(value) !== undefined),
    empty: others.filter(({ value }) => isEmpty(value)),
  };
}

const isEmpty = (value: DisplayValue): boolean =>
  value.is === 'nothing' ||
  (value.is === 'text' && value.text.trim() === '' && value.left === undefined) ||
  (value.is === 'list' && value.items.length === 0) ||
  (value.is === 'fields' && value.fields.length === 0);

function confirmationIn(value: DisplayValue): ProfileSections['confirmed'] {
  if (value.is === 'nothing') return { yes: false };
  if (value.is === 'flag') return { yes: value.yes };
  if (value.is === 'moment') return { yes: true, at: formatDate(new Date(value.at), 'date') };
  return value.is === 'day' ? { yes: true, at: formatDate(value.day, 'day') } : undefined;
}

function keyFactOf(row: ProfileField | undefined): KeyFact | undefined {
  const field = row && fieldNameOf(row.name);
  if (!row || !field) return undefined;
  const [text, addition] = field === 'language' ? languageIn(row.value) : partsOf(row.value);
  if (text === undefined) return undefined;
  const label = field === 'created' ? t('profile.memberSince') : fieldLabel(row.name);
  return { label, value: capitalize(text), addition, row };
}

type Parts = [text?: string | undefined, addition?: string | undefined];

function partsOf(value: DisplayValue): Parts {
  if (value.is === 'list') {
    const [first, ...others] = itemNames(value.items);
    return [first, others.length === 0 ? undefined : t('profile.andOthers', { others: others.join(', ') })];
  }
  if (value.is === 'fields') {
    const [first, second] = value.fields.flatMap((field) => shortPreview(field) ?? []);
    return [first, second];
  }
  if (value.is === 'day') return [formatDate(value.day, 'day'), formatAge(Date.parse(value.day))];
  if (value.is === 'moment') return [formatDate(new Date(value.at), 'date'), formatAge(Date.parse(value.at))];
  return value.is === 'flag' ? [] : [shortPreview({ name: '', value })?.trim()];
}

const languages = memoizeByLocale((spoken) => new Intl.DisplayNames(spoken, { type: 'language' }));
const regions = memoizeByLocale((spoken) => new Intl.DisplayNames(spoken, { type: 'region' }));

/** Names the language and the country of a tag such as `es-CL`. Any other text stays as it is. */
function languageIn(value: DisplayValue): Parts {
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

/** Formats an age in whole years, else in months or days; undefined on the first day. */
function formatAge(ms: number): string | undefined {
  const age = Date.now() - ms;
  const [unit, length] = spans.find((span) => age >= span[1]) ?? [];
  if (unit === undefined) return undefined;
  return new Intl.NumberFormat(language(), { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.floor(age / length),
  );
}

/** Returns the first of name, email and id that has visible text. */
export const profileTitle = ({ name, email, id }: UserProfile): string | undefined =>
  [name, email, id].find((text) => text !== undefined && hasVisibleText(text))?.trim();

/** Returns the email, unless it is the title. */
export const profileEmail = (user: UserProfile): string | undefined =>
  user.email !== undefined && hasVisibleText(user.email) && user.email.trim() !== profileTitle(user)
    ? user.email
    : undefined;

/** Counts the single values within a value. */
export function countValues(value: DisplayValue): number {
  const inner = value.is === 'list' ? value.items : value.is === 'fields' ? value.fields.map((each) => each.value) : [];
  return inner.length === 0 ? 1 : inner.reduce((count, each) => count + countValues(each), 0);
}

/** Returns the labels of the fields without a value, each once. */
export const emptyFieldLabels = (user: UserProfile, { empty }: ProfileSections): string[] => [
  ...new Set([
    ...(['name', 'email', 'id'] as const)
      // A missing field is not empty, and null has a row.
      .filter((field) => user[field]?.trim() === '')
      .map((field) => t(`profile.${field}`)),
    ...empty.map(({ name }) => fieldLabel(name)),
  ]),
];
