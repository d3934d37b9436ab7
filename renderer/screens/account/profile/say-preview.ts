import type { TFunction } from 'i18next';
import type { SentField, SentValue } from '../../../../preload/contract/profile.ts';
import { fieldLabel } from './field-labels.ts';
import { sayDayMonth, sayMonth } from './say-moment.ts';

/** A longer text is no short one, and tells nothing at its beginning. */
const shortText = 40;
/** Of an object, so many of its first short values stand for it, and of a list so many of its items. */
const [mostOfObject, mostOfList] = [3, 4];

/** An item of a list is called by the first of these that it has. */
const names = ['name', 'title', 'city', 'type', 'nombre', 'titulo', 'ciudad', 'tipo', 'label'];

/** An id tells nobody anything. */
const isId = (name: string): boolean => /^_?(?:id|uuid|guid|pk)$|(?:_id|Id|ID|_uuid)$/.test(name);

/** What says values: the texts of the window, and its language. */
type Words = { t: TFunction; language: string };

/**
 * Says in one line what is in a folded value: of an object its first three short values, "Pro · 5 seats · until Dec 2026";
 * of a list how many there are and what each is called, "2 addresses: Santiago, Madrid".
 * @param name the server's name of the value
 * @param count how many values there are directly within
 */
export function sayPreview(name: string, value: SentValue, { t, language }: Words): string {
  if (value.is === 'fields') {
    const said = value.fields.flatMap((field) => sayShort(field, { t, language }) ?? []).slice(0, mostOfObject);
    return said.length > 0 ? said.join(' · ') : t('profile.values', { count: value.fields.length });
  }
  if (value.is !== 'list') return '';
  const called = value.items.flatMap((item) => nameOf(item) ?? []);
  const shown = [...called.slice(0, mostOfList), ...(called.length > mostOfList ? ['…'] : [])].join(', ');
  const { length } = value.items;
  if (length === 1 && shown !== '') return shown;
  const counted = sayCount(name, length, t);
  return shown === '' ? counted : `${counted}: ${shown}`;
}

/** Counts by the server's own word where that is a plural, as nearly every name of a list is. */
function sayCount(name: string, count: number, t: TFunction): string {
  const label = fieldLabel(name, t);
  return count > 1 && /[a-z]s$/i.test(label) ? `${count} ${small(label)}` : t('profile.values', { count });
}

const small = (label: string): string =>
  /^\p{Lu}\p{Lu}/u.test(label) ? label : label.charAt(0).toLocaleLowerCase() + label.slice(1);

/** Says a value with what it is, where it does not say that itself. A text does. */
function sayShort({ name, value }: SentField, { t, language }: Words): string | undefined {
  const label = (): string => small(fieldLabel(name, t));
  switch (value.is) {
    case 'text':
      return isId(name) ? undefined : shortOf(value.text);
    case 'number':
      return isId(name) || value.digits.length > shortText ? undefined : `${value.digits} ${label()}`;
    case 'flag':
      return `${label()}: ${t(value.yes ? 'profile.yes' : 'profile.no')}`;
    case 'day':
      return `${label()} ${sayDayMonth(value.day, language)}`;
    case 'moment':
      return `${label()} ${sayMonth(new Date(value.at), language)}`;
    case 'list': {
      const items = value.items.flatMap((item) => (item.is === 'text' ? [item.text] : []));
      return items.length > 0 && items.length === value.items.length ? shortOf(items.join(', ')) : undefined;
    }
    case 'fields':
    case 'nothing':
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
