import type { DisplayValue } from '../../preload/contract/models.ts';
import { pointerOf } from '../../main/client/reading/json-text.ts';
import { readProfile } from './answers-of-main.ts';

/** The places of all values that rows show, what is empty being one. */
export function shownPlaces(place: string, value: DisplayValue): string[] {
  if (value.is === 'list' && value.items.length > 0)
    return value.items.flatMap((item, index) => shownPlaces(`${place}/${index}`, item));
  if (value.is === 'fields' && value.fields.length > 0)
    return value.fields.flatMap((field) => shownPlaces(place + pointerOf([field.name]), field.value));
  return [place];
}

/** The places of all values that were sent, each with its value. */
function sentPlaces(value: unknown, names: (string | number)[] = []): [place: string, value: unknown][] {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  return keys.length === 0
    ? [[pointerOf(names), value]]
    : keys.flatMap((key) =>
        sentPlaces(Reflect.get(value as object, key), [...names, Array.isArray(value) ? Number(key) : key]),
      );
}

/** Returns the places that were sent and that nobody sees: neither in a row nor as the name, the email or the id. */
export function unseenPlaces(sent: unknown, who: readonly string[] = []): string[] {
  const { rest, summary } = readProfile(sent, who);
  const shown = new Set(rest.flatMap(({ place, value }) => shownPlaces(place, value)));
  const { id, name = '', email } = summary.user ?? {};
  const named = new Set([String(id), email, name, ...name.split(' ')]);
  return sentPlaces(sent).flatMap(([place, value]) => (shown.has(place) || named.has(String(value)) ? [] : [place]));
}
