import type { InterfaceDescription } from '../../preload/contract/interface.ts';
import { readExpression, headerIn } from './expression.ts';
import { expressionsIn } from './outputs.ts';
import { findRefreshToken, isRefreshName, renewalOutput } from './refresh-token.ts';
import { isFieldName, placeholderNames, parseJson, type PlainJson, type PlaceholderValues } from './template.ts';

type Headers = readonly (readonly [name: string, value: string])[];

/**
 * What a session is kept by. The token of a session that is a cookie is that cookie's value. What of it is secret,
 * `secretsOf` says.
 * @property outputs values of answers that later calls need, by the description's names
 * @property cookies those that the description names, and no others
 * @property typed the names of outputs that are no secrets: the person typed them, as an email that serves as an id, or the
 * description says so
 */
export type Credential = {
  token?: string;
  outputs?: Readonly<Record<string, string>>;
  cookies?: Readonly<Record<string, string>>;
  typed?: readonly string[];
};

/** In characters. A longer answer is no answer to a log-in, and a longer value goes back in no header. */
const longestBody = 262_144;
const longestOutput = 32_768;

/** What of a held credential is secret: all but the outputs that are known to be none. */
export const credentialSecrets = ({ token, outputs = {}, cookies = {}, typed = [] }: Credential): string[] => [
  ...(token === undefined ? [] : [token]),
  ...Object.entries(outputs).flatMap(([name, value]) => (typed.includes(name) ? [] : [value])),
  ...Object.values(cookies),
];

/** What is left of a held credential without its secrets: outputs that paths may need. */
export const withoutCredentialSecrets = ({ outputs = {}, typed = [] }: Credential): Credential => ({
  outputs: Object.fromEntries(Object.entries(outputs).filter(([name]) => typed.includes(name))),
});

/**
 * The output that the refresh token is held as. A description that has no place for one holds it all the same: it says
 * that the token alone renews nothing.
 */
export function refreshOutput(description: InterfaceDescription): string | undefined {
  const named = renewalOutput(description);
  const isFree = !Object.hasOwn(description.variables, 'refreshToken');
  return named === 'token'
    ? isFree && !placeholderNames(description.calls.refresh?.body).includes('token')
      ? 'refreshToken'
      : undefined
    : named;
}

/**
 * The outputs that are held after an answer, with those that were held before it. A refresh token that is not where the
 * description says is looked for in the whole answer.
 * @param given.givesTokens whether outputs of its body count, too
 * @param given.own the outputs of this call's answer alone, which are read in any case
 */
export function updateOutputs(
  description: InterfaceDescription,
  { rawHeaders, body }: { rawHeaders: Headers; body: string },
  held: Credential,
  { givesTokens, own }: { givesTokens: boolean; own: Readonly<Record<string, string>> },
): Record<string, string> {
  const outputs: Record<string, string> = { ...held.outputs };
  const isRead = givesTokens || Object.keys(own).length > 0;
  const json = isRead && body.length <= longestBody ? parseJson(body) : undefined;
  const given = new Set<string>();
  for (const [output, expression] of Object.entries({ ...expressionsIn(description.outputs), ...own })) {
    if (output === 'user' || output === 'message') continue;
    const header = headerIn(expression);
    if (header === undefined && !givesTokens && !Object.hasOwn(own, output)) continue;
    const value = header === undefined ? readExpression(expression, json, body) : lastOf(rawHeaders, header);
    const text = value?.replace(/^Bearer\s+/i, '').trim();
    if (text !== undefined && text !== '' && text.length <= longestOutput) {
      outputs[output] = text;
      given.add(output);
    }
  }
  const lacking = givesTokens ? refreshOutputs(description).filter((output) => !given.has(output)) : [];
  const found = lacking.length > 0 ? findRefreshToken(json, rawHeaders) : undefined;
  if (found !== undefined && found.length <= longestOutput) for (const output of lacking) outputs[output] = found;
  return outputs;
}

/** The outputs that are the refresh token: that by which a session is renewed, and those that a log-out may need. */
function refreshOutputs(description: InterfaceDescription): string[] {
  const bySaying = Object.entries(expressionsIn(description.outputs)).flatMap(([output, expression]) =>
    output !== 'token' && (isRefreshName(output) || isRefreshName(lastPart(expression))) ? [output] : [],
  );
  return [...new Set([...bySaying, ...[refreshOutput(description) ?? []].flat()])];
}

const lastPart = (expression: string): string => expression.slice(expression.lastIndexOf('/') + 1);

/** The last value of a header that an answer has. */
const lastOf = (headers: Headers, wanted: string): string | undefined =>
  headers.findLast(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1];

/** The names of outputs that say what the person typed into a field that is no password, as a server writes it. */
export function enteredOutputs(
  outputs: Readonly<Record<string, string>>,
  fields: PlaceholderValues | string | undefined,
  { outputs: before = {}, typed = [] }: Credential,
): string[] {
  const given = new Set(typeof fields === 'object' ? Object.entries(fields).flatMap(textsOf) : []);
  return Object.entries(outputs).flatMap(([name, value]) => {
    const isAsBefore = typed.includes(name) && before[name] === value;
    return isAsBefore || given.has(likened(value)) ? [name] : [];
  });
}

const likened = (text: string): string => text.trim().toLowerCase();

const textsOf = ([name, value]: [string, PlainJson | undefined]): string[] =>
  isFieldName(name) && name !== 'password' && name !== 'cpassword' && typeof value === 'string' ? [likened(value)] : [];
