import { fold } from '../../secrets/secret-names.ts';
import type { SaidOfField } from './about-field.ts';
import { formFieldNamed } from './form-fields.ts';
import { withoutGenericStart } from './generic.ts';

/** What these validators write has the field's own name at a certain place. The name is the first group. */
const named: readonly RegExp[] = [
  // ajv, as Fastify gives it: `body/password must NOT have fewer than 8 characters`; before ajv 8, `body.password`.
  /^"?(?:body|data|payload|instance|params|request|requestBody|querystring|input)[./]([A-Za-z_][\w./-]{0,80}) \S/,
  // ajv's missing properties, JSON Schema's and OpenAPI's.
  /\brequired property:? ['"`]([\w.-]{1,80})['"`]/,
  /\brequires property ['"`]([\w.-]{1,80})['"`]/,
  /^['"`]([\w.-]{1,80})['"`] is a required property/,
  /^object has missing required properties \(\["([\w.-]{1,80})"\]\)/,
  // Joi: `"password" length must be at least 8 characters long`.
  /^['"`]{1,2}([A-Za-z_][\w.]{0,80})['"`]{1,2} [a-z]/,
  // Joi before 16: `child "password" fails because ["password" is required]`.
  /^child "([\w.]{1,80})" fails because/,
  // Go's validator: `Key: 'User.Email' Error:Field validation for 'Email' failed on the 'email' tag`.
  /\bField validation for '([\w.]{1,80})' failed/,
  // Spring: `Field error in object 'user' on field 'email': rejected value [x]`.
  /\bon field '([\w.]{1,80})'/,
  // Mongoose: "Path `password` is required."
  /^Path `([\w.]{1,80})`/,
  // Flask-RESTful, Parse, Meteor, Laminas and others name a field, a parameter, a key or a column.
  /\b(?:field|parameter|param|property|attribute|argument|key|campo|champ|feld|parametro|parámetro)s?:? ['"`“«„]([A-Za-z_][\w.-]{0,80})['"`”»“]/i,
  /^([a-z_][\w.]{0,80}) (?:must|should|is|has|have|can|cannot|may|does|debe|es|no|tiene)\b/,
];

/** A field's own name and a colon before what is wrong with it. */
const beforeColon = /^([A-Za-z_][\w.[\]-]{0,80})(?: ?: |:$)(.{0,500})/s;

/**
 * Returns the fields that a text names by their own names at the places where validators put them, each with what is
 * said of it.
 */
export function fieldsNamedIn(text: string): SaidOfField[] {
  const specific = withoutGenericStart(text.slice(0, longest));
  const listed = listedIn(specific);
  if (listed.length > 0) return listed;
  const said = linesOf(specific).map((line) => ({ text: line, field: nameIn(line) }));
  const [first] = said;
  if (first?.field === undefined || said.some(({ field }) => field === undefined)) return [];
  // A text about one field is left as it was sent.
  return said.flatMap(({ field, text: line }) =>
    field === undefined ? [] : [{ field, text: said.length === 1 ? text : line }],
  );
}

const longest = 2000;
const mostLines = 20;

/** Joi joins its messages by a full stop, Go's validator by newlines, JSON Schema's validators by commas. */
const linesOf = (text: string): string[] =>
  text
    .split(/\n|\. (?=["'])|, (?=(?:body|data)[./])|; /)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, mostLines);

function nameIn(line: string): string | undefined {
  const name = named.map((pattern) => pattern.exec(line)?.[1]).find((each) => each !== undefined);
  return name === undefined || formFieldNamed(name) === undefined ? undefined : name;
}

/** Reads `email: is taken, password: is too short`, in which only fields of ours and of the server stand before colons. */
function listedIn(text: string): SaidOfField[] {
  const said: SaidOfField[] = [];
  for (const piece of text.split(/\n|; |, |\. (?=[a-z_][\w.]{0,80}: )/).slice(0, mostLines)) {
    const [, name, rest] = beforeColon.exec(piece.trim()) ?? [];
    const last = said.at(-1);
    if (name !== undefined && rest !== undefined && formFieldNamed(name)) said.push({ field: name, text: rest.trim() });
    else if (!last) return [];
    else last.text += `, ${piece.trim()}`;
  }
  return said.filter(({ text: each }) => fold(each) !== '');
}
