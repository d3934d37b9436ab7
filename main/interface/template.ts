/** JSON as `JSON.parse` gives it. */
export type PlainJson = string | number | boolean | null | PlainJson[] | { [name: string]: PlainJson };
export type PlaceholderValues = Readonly<Record<string, PlainJson | undefined>>;

/** The fields of the forms, by the names that the interface of `interface.md` gives them. */
export const fieldNames = ['name', 'email', 'username', 'password', 'cpassword'] as const;
export type FormFieldName = (typeof fieldNames)[number];

const placeholder = /\{\{([A-Za-z]\w*)\}\}/g;
const onePlaceholder = /^\{\{([A-Za-z]\w*)\}\}$/;

/** The names that stand between `{{` and `}}` anywhere in a template, in their order. */
export function placeholderNames(template: PlainJson | undefined): string[] {
  if (typeof template === 'string') return [...template.matchAll(placeholder)].map(([, name]) => name!);
  if (template === undefined || template === null || typeof template !== 'object') return [];
  return Object.values(template).flatMap((each) => placeholderNames(each));
}

/**
 * The interface's own field that each member of a body is filled from, by the member's name: where a user name is made of
 * the email, `username` is of `email`.
 */
export function fieldsByMember(body: Readonly<Record<string, PlainJson>> = {}): Record<string, string> {
  const filled = Object.entries(body).flatMap(([member, value]) => {
    const [field, ...others] = placeholderNames(value);
    return field !== undefined && others.length === 0 && isFieldName(field) ? [[member, field] as const] : [];
  });
  return Object.fromEntries(filled);
}

/** Puts values into a text; undefined where one is missing. */
export function fillTextTemplate(
  template: string,
  values: PlaceholderValues,
  encode: (text: string) => string = (text) => text,
): string | undefined {
  if (placeholderNames(template).some((name) => values[name] === undefined)) return undefined;
  return template.replace(placeholder, (_, name: string) => encode(toText(values[name]!)));
}

/**
 * Fills a template of JSON. A text that is one placeholder takes the value in its own type, and a member goes where a
 * value is missing. It is filled as JSON that was read, so that no value can be more than a value.
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
 * Reads a template backwards: the values that a body which was made from it holds.
 * @param isWanted says of which names; the fields of the forms unless given
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

/** Whether a body can have been made from a template: it has all members, and says what the template itself says. */
export function matchesTemplate(template: PlainJson | undefined, body: PlainJson | undefined): boolean {
  if (template === undefined || placeholderNames(template).length === 0)
    return JSON.stringify(template) === JSON.stringify(body);
  if (!isRecord(template)) return body !== undefined;
  return (
    isRecord(body) &&
    Object.entries(template).every(([name, each]) => Object.hasOwn(body, name) && matchesTemplate(each, body[name]))
  );
}

/** Whether a body takes a user name, and no email. */
export function isByUsername(template: PlainJson | undefined): boolean {
  const names = placeholderNames(template);
  return names.includes('username') && !names.includes('email');
}

/** Where nobody chose a user name, it is the part of the email before its `@`. */
export function withUsername(
  template: PlainJson | undefined,
  fields: PlaceholderValues | undefined,
): PlaceholderValues | undefined {
  const { username, email } = fields ?? {};
  if (username !== undefined || typeof email !== 'string' || !placeholderNames(template).includes('username'))
    return fields;
  return { ...fields, username: email.split('@', 1)[0] };
}

/** Whether a body has its fields under their own names, so that what is sent is what was given. */
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

/** A value as a text, as a form and a header have it. */
export const toText = (value: PlainJson): string => (typeof value === 'string' ? value : JSON.stringify(value));
