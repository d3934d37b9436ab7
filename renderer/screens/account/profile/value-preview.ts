import type { DisplayField, DisplayValue } from '../../../../preload/contract/models.ts';
import { fieldLabel } from './field-labels.ts';
import { capitalize, formatDate } from '../../../format.ts';
import { t } from '../../../i18n.ts';

/** The beginning of a longer text would say nothing. */
const longestText = 40;
/** The number of values that a preview has of an object, and of items of a list. */
const [mostOfObject, mostOfList] = [3, 4];

/** Fields that name an item of a list, by priority. */
const nameFields = ['name', 'title', 'city', 'type', 'nombre', 'titulo', 'ciudad', 'tipo', 'label'];

const isId = (name: string): boolean => /^_?(?:id|uuid|guid|pk)$|(?:_id|Id|ID|_uuid)$/.test(name);

/**
 * Returns a collapsed value in one line: the first three short values of an object, "Pro · 5 seats · until Dec 2026",
 * or the labels of others; the number of items of a list and their names, "2: Santiago, Madrid".
 */
export function valuePreview(value: DisplayValue): string {
  if (value.is === 'fields') {
    const preview = value.fields.flatMap((field) => shortPreview(field) ?? []).slice(0, mostOfObject);
    const [only, ...more] = value.fields;
    if (preview.length === 0 && only && more.length === 0) return valuePreview(only.value);
    const labels = value.fields.slice(0, mostOfObject).map((field) => small(fieldLabel(field.name)));
    return capitalize((preview.length > 0 ? preview : labels).join(' · '));
  }
  if (value.is !== 'list') return t('profile.values', { count: 1 });
  const called = itemNames(value.items);
  const shown = [...called.slice(0, mostOfList), ...(called.length > mostOfList ? ['…'] : [])].join(', ');
  const { length } = value.items;
  if (shown === '') return t('profile.values', { count: length });
  return length === 1 ? shown : `${length}: ${shown}`;
}

/** Returns the names of the items of a list, each once. */
export const itemNames = (items: readonly DisplayValue[]): string[] => [
  ...new Set(items.flatMap((item) => itemName(item) ?? [])),
];

/** Fields that name a record, by priority. */
const titleFields = ['name', 'title', 'label', 'type', 'kind', 'nombre', 'titulo', 'tipo'];

/** Returns the field that names a record of a list. */
export const titleFieldOf = (fields: readonly DisplayField[]): DisplayField | undefined =>
  titleFields
    .map((title) => fields.find(({ name, value }) => name.toLowerCase() === title && value.is === 'text'))
    .find((found) => found?.value.is === 'text' && trimmedIfShort(found.value.text) !== undefined);

const small = (label: string): string =>
  /^\p{Lu}\p{Lu}/u.test(label) ? label : label.charAt(0).toLocaleLowerCase() + label.slice(1);

/** Formats a value with its label, which a text does not need. A date is shown with one level of precision less. */
export function shortPreview({ name, value }: DisplayField): string | undefined {
  const label = (): string => small(fieldLabel(name));
  switch (value.is) {
    case 'text':
      return isId(name) ? undefined : trimmedIfShort(value.text);
    case 'number':
      return isId(name) || value.digits.length > longestText ? undefined : `${value.digits} ${label()}`;
    case 'flag':
      return `${label()}: ${t(value.yes ? 'profile.yes' : 'profile.no')}`;
    case 'day':
      return `${label()} ${formatDate(value.day, 'month')}`;
    case 'moment':
      return `${label()} ${value.isZoneSaid ? formatDate(new Date(value.at), 'date') : formatDate(value.at, 'day')}`;
    case 'list': {
      const items = value.items.flatMap((item) => (item.is === 'text' ? [item.text] : []));
      return items.length > 0 && items.length === value.items.length ? trimmedIfShort(items.join(', ')) : undefined;
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

const trimmedIfShort = (text: string): string | undefined =>
  text.trim() === '' || text.length > longestText || text.includes('\n') ? undefined : text.trim();

function itemName(item: DisplayValue): string | undefined {
  if (item.is === 'text') return trimmedIfShort(item.text);
  if (item.is === 'number') return item.digits.length > longestText ? undefined : item.digits;
  if (item.is !== 'fields') return undefined;
  for (const name of nameFields) {
    const found = item.fields.find((field) => field.name.toLowerCase() === name)?.value;
    const preview = found?.is === 'text' ? trimmedIfShort(found.text) : undefined;
    if (preview !== undefined) return preview;
  }
  return undefined;
}
