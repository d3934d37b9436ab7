/** JSON as `JSON.parse` gives it. */
export type PlainJson = string | number | boolean | null | PlainJson[] | { [name: string]: PlainJson };
export type PlaceholderValues = Readonly<Record<string, PlainJson | undefined>>;

/** The fields of the forms, by their names in `interface.md`. */
export const fieldNames = ['name', 'email', 'username', 'password', 'cpassword'] as const;
type FormFieldName = (typeof fieldNames)[number];

const placeholder = /\{\{([A-Za-z]\w*)\}\}/g;
const onePlaceholder = /^\{\{([A-Za-z]\w*)\}\}$/;

/** The names of all placeholders `{{name}}` of a template, in their order. */
export function placeholderNames(template: PlainJson | undefined): string[] {
  if (typeof template === 'string') return [...template.matchAll(placeholder)].map(([, name]) => name!);
  if (template === undefined || template === null || typeof template !== 'object') return [];
  return Object.values(template).flatMap((each) => placeholderNames(each));
}

/** The form field that fills each member of a body: `username` may be filled from `email`. */
export function fieldsByMember(body: Readonly<Record<string, PlainJson>> = {}): Record<string, string> {
  const filled = Object.entries(body).flatMap(([member, value]) => {
    const [field, ...others] = placeholderNames(value);
    return field !== undefined && others.length === 0 && isFieldName(field) ? [[member, field] as const] : [];
  });
  return Object.fromEntries(filled);
}

/** A template of text with its values; undefined if one is missing. */
export function fillTextTemplate(
  template: string,
  values: PlaceholderValues,
  encode: (text: string) => string = (text) => text,
): string | undefined {
  if (placeholderNames(template).some((name) => values[name] === undefined)) return undefined;
  return template.replace(placeholder, (_, name: string) => encode(toText(values[name]!)));
}

/**
 * A template of JSON with its values. A string that is one placeholder becomes the value in its own type; a member whose
 * value is missing is left out. It is filled as parsed JSON, so that no value can add a member.
 */
export function fillTemplate(template: PlainJson, values: PlaceholderValues): PlainJson | undefined {
  if (typeof template === 'string') {
    const [, whole] = onePlaceholder.exec(template) ?? [];
    return whole === undefined ? fillTextTemplate(template, values) : values[whole];
  }
  if (template === null || typeof template !== 'object') return template;
  if (Array.isArray(template)) {
    return template.map((each) => fillTemplate(each, values)).filter((each) => each !== undefined);
  }
  const members = Object.entries(template).flatMap(([name, each]) => {
    const filled = fillTemplate(each, values);
    return filled === undefined ? [] : [[name, filled] as const];
  });
  const isEmptied = members.length === 0 && Object.keys(template).length > 0;
  return isEmptied ? undefined : Object.fromEntries(members);
}

/**
 * The values of placeholders in a body that was made from a template.
 * @param isWanted selects the names; by default those of form fields
 */
export function extractValues(
  template: PlainJson,
  body: PlainJson | undefined,
  isWanted: (name: string) => boolean = isFieldName,
): Record<string, PlainJson> {
  const found: Record<string, PlainJson> = {};
  function read(each: PlainJson, value: PlainJson | undefined): void {
    if (value === undefined) return;
    if (typeof each === 'string') {
      const [, name] = onePlaceholder.exec(each) ?? [];
      if (name !== undefined && isWanted(name)) found[name] ??= value;
    } else if (isRecord(each) && isRecord(value)) {
      for (const [name, inner] of Object.entries(each)) {
        read(inner, Object.hasOwn(value, name) ? value[name] : undefined);
      }
    }
  }
  read(template, body);
  return found;
}

/** True if a body can have been made from a template: it has all its members and all its constants. */
export function matchesTemplate(template: PlainJson | undefined, body: PlainJson | undefined): boolean {
  if (template === undefined || placeholderNames(template).length === 0)
    return JSON.stringify(template) === JSON.stringify(body);
  if (!isRecord(template)) return body !== undefined;
  return (
    isRecord(body) &&
    Object.entries(template).every(([name, each]) => Object.hasOwn(body, name) && matchesTemplate(each, body[name]))
  );
}

/** True if a body takes a user name and no email. */
export function isByUsername(template: PlainJson | undefined): boolean {
  const names = placeholderNames(template);
  return names.includes('username') && !names.includes('email');
}

/** Fields with the part of the email before its `@` as the user name, if there is none. */
export function withUsername(
  template: PlainJson | undefined,
  fields: PlaceholderValues | undefined,
): PlaceholderValues | undefined {
  const { username, email } = fields ?? {};
  if (username !== undefined || typeof email !== 'string' || !placeholderNames(template).includes('username'))
    return fields;
  return { ...fields, username: email.split('@', 1)[0] };
}

/** True if a body has the form fields under their own names. */
export const isIdentityTemplate = (body: Readonly<Record<string, PlainJson>>): boolean =>
  Object.entries(body).every(([name, value]) => isFieldName(name) && value === `{{${name}}}`);

export const isFieldName = (name: string): name is FormFieldName => fieldNames.some((each) => each === name);

export const isRecord = (value: PlainJson | undefined): value is { [name: string]: PlainJson } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined if the text is no JSON. */
export function parseJson(text: string): PlainJson | undefined {
  try {
    const json: PlainJson = JSON.parse(text);
    return json;
  } catch {
    return undefined;
  }
}

/** A value as a form and a header have it. */
export const toText = (value: PlainJson): string => (typeof value === 'string' ? value : JSON.stringify(value));
