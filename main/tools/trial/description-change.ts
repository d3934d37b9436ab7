import { isRecord, type PlainJson } from '../../interface/template.ts';

export type PlainJsonObject = { [name: string]: PlainJson };

/** A change of a description. A part whose `to` is undefined is removed. */
export type DescriptionChange = {
  at: string;
  value: string;
  /** The part of a response that suggests it. */
  evidence?: string | undefined;
  parts: readonly { at: readonly string[]; to: PlainJson | undefined }[];
};

/**
 * A change of the member at a path.
 * @param more parts that change with it
 */
export function createChange(
  at: string,
  to: PlainJson,
  {
    evidence,
    value,
    more = [],
  }: { evidence?: string | undefined; value?: string; more?: DescriptionChange['parts'] } = {},
): DescriptionChange {
  const shown = value ?? (typeof to === 'string' ? to : JSON.stringify(to));
  return { at, value: shown, evidence, parts: [{ at: at.split('.'), to }, ...more] };
}

/** The changed description; undefined if a path leads into a member that is no object. */
export const applyChange = (description: PlainJsonObject, { parts }: DescriptionChange): PlainJson | undefined =>
  parts.reduce<PlainJson | undefined>((json, { at, to }) => json && put(json, at, to), description);

function put(json: PlainJson, [name, ...inner]: readonly string[], to: PlainJson | undefined): PlainJson | undefined {
  if (name === undefined) return undefined;
  if (Array.isArray(json)) {
    const item = json[Number(name)];
    const changedItem = item === undefined ? undefined : inner.length === 0 ? to : put(item, inner, to);
    return changedItem === undefined ? undefined : json.map((each, at) => (at === Number(name) ? changedItem : each));
  }
  if (!isRecord(json)) return undefined;
  if (inner.length === 0 && to === undefined) {
    return Object.fromEntries(Object.entries(json).filter(([each]) => each !== name));
  }
  const value = inner.length === 0 ? to : put(Object.hasOwn(json, name) ? json[name]! : {}, inner, to);
  return value === undefined ? undefined : { ...json, [name]: value };
}

export const valueAtPath = (json: PlainJson | undefined, at: string): PlainJson | undefined =>
  at.split('.').reduce<PlainJson | undefined>((inner, name) => {
    if (Array.isArray(inner)) return inner[Number(name)];
    return isRecord(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
  }, json);
