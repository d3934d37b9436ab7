import fieldNames from '../../../../preload/contract/locales/field-names.json' with { type: 'json' };
import { t } from '../../../i18n.ts';

/** A field that many servers send. Its label is under `profile.fields` in the texts. */
export type FieldName = keyof typeof fieldNames;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The keys of the file are its type.
const fields = Object.entries(fieldNames) as [FieldName, string[]][];
const fieldByKey = new Map(fields.flatMap(([field, keys]) => keys.map((key) => [key, field] as const)));

const longestKey = 60;

/**
 * Returns the common field that a server's key stands for, if any. The file has keys in lower case without punctuation.
 */
export const fieldNameOf = (key: string): FieldName | undefined =>
  fieldByKey.get(key.toLowerCase().replaceAll(/[^a-z\d]/g, ''));

/** Returns the label of a field: a translated one for a common field, otherwise the words of its key. */
export function fieldLabel(key: string): string {
  const name = fieldNameOf(key);
  if (name !== undefined) return t(`profile.fields.${name}`);
  if (key === 'id' || key === 'name' || key === 'email') return t(`profile.${key}`);
  const shown = Array.from(key);
  const words = (shown.length > longestKey ? `${shown.slice(0, longestKey).join('')}…` : key)
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/[\s_.-]+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? key : words.charAt(0).toLocaleUpperCase() + words.slice(1);
}
