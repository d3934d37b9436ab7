import type { SentField, SentValue } from '../../../../preload/contract/models.ts';
import { fieldLabel } from './field-labels.ts';
import { capitalize, formatDate } from '../../../format.ts';
import { t } from '../../../i18n.ts';

/** A longer text is no short one, and tells nothing at its beginning. */
const shortText = 40;
/** Of an object, so many of its first short values stand for it, and of a list so many of its items. */
const [mostOfObject, mostOfList] = [3, 4];

/** An item of a list is called by the first of these that it has. */
const names = ['name', 'title', 'city', 'type', 'nombre', 'titulo', 'ciudad', 'tipo', 'label'];

/** An id tells nobody anything. */
const isId = (name: string): boolean => /^_?(?:id|uuid|guid|pk)$|(?:_id|Id|ID|_uuid)$/.test(name);

/**
 * Says in one line what is in a folded value: of an object its first three short values, "Pro · 5 seats · until Dec 2026",
 * or the names of others; of a list how many there are and what each is called, "2: Santiago, Madrid".
 */
export function sayPreview(value: SentValue): string {
  if (value.is === 'fields') {
    const said = value.fields.flatMap((field) => sayShort(field) ?? []).slice(0, mostOfObject);
    const [only, ...more] = value.fields;
    if (said.length === 0 && only && more.length === 0) return sayPreview(only.value);
    const labels = value.fields.slice(0, mostOfObject).map((field) => small(fieldLabel(field.name)));
    return capitalize((said.length > 0 ? said : labels).join(' · '));
  }
  if (value.is !== 'list') return t('profile.values', { count: 1 });
  const called = sayItems(value.items);
  const shown = [...called.slice(0, mostOfList), ...(called.length > mostOfList ? ['…'] : [])].join(', ');
  const { length } = value.items;
  if (shown === '') return t('profile.values', { count: length });
  return length === 1 ? shown : `${length}: ${shown}`;
}

/** What the items of a list are called, each once. */
export const sayItems = (items: readonly SentValue[]): string[] => [
  ...new Set(items.flatMap((item) => nameOf(item) ?? [])),
];

/** A record of a list is called by the first of these that it has: where it is says more of it than what it is for. */
const titles = ['name', 'title', 'label', 'type', 'kind', 'nombre', 'titulo', 'tipo'];

/** The field that a record of a list is called by. */
export const nameFieldOf = (fields: readonly SentField[]): SentField | undefined =>
  titles
    .map((title) => fields.find(({ name, value }) => name.toLowerCase() === title && value.is === 'text'))
    .find((found) => found?.value.is === 'text' && shortOf(found.value.text) !== undefined);

const small = (label: string): string =>
  /^\p{Lu}\p{Lu}/u.test(label) ? label : label.charAt(0).toLocaleLowerCase() + label.slice(1);

/** Says a value with its label, which a text does not need. A date is said one step less exactly than it is. */
export function sayShort({ name, value }: SentField): string | undefined {
  const label = (): string => small(fieldLabel(name));
  switch (value.is) {
    case 'text':
      return isId(name) ? undefined : shortOf(value.text);
    case 'number':
      return isId(name) || value.digits.length > shortText ? undefined : `${value.digits} ${label()}`;
    case 'flag':
      return `${label()}: ${t(value.yes ? 'profile.yes' : 'profile.no')}`;
    case 'day':
      return `${label()} ${formatDate(value.day, 'month')}`;
    case 'moment':
      return `${label()} ${value.isZoneSaid ? formatDate(new Date(value.at), 'date') : formatDate(value.at, 'day')}`;
    case 'list': {
      const items = value.items.flatMap((item) => (item.is === 'text' ? [item.text] : []));
      return items.length > 0 && items.length === value.items.length ? shortOf(items.join(', ')) : undefined;
    }
    case 'fields':
    case 'nothing':
    case 'picture':
    case 'secret':
      return undefined;
    default:
      return value satisfies never;
  }
}

const shortOf = (text: string): string | undefined =>
  text.trim() === '' || text.length > shortText || text.includes('\n') ? undefined : text.trim();

/** What an item of a list is called. */
function nameOf(item: SentValue): string | undefined {
  if (item.is === 'text') return shortOf(item.text);
  if (item.is === 'number') return item.digits.length > shortText ? undefined : item.digits;
  if (item.is !== 'fields') return undefined;
  for (const name of names) {
    const found = item.fields.find((field) => field.name.toLowerCase() === name)?.value;
    const said = found?.is === 'text' ? shortOf(found.text) : undefined;
    if (said !== undefined) return said;
  }
  return undefined;
}
