import type { InterfaceDescription } from '../../preload/contract/interface.ts';
import { readExpression, headerIn } from './expression.ts';
import { expressionsIn } from './outputs.ts';
import { findRefreshToken, isRefreshName, renewalOutput } from './refresh-token.ts';
import { isFieldName, placeholderNames, parseJson, type PlainJson, type PlaceholderValues } from './template.ts';

type Headers = readonly (readonly [name: string, value: string])[];

/**
 * What authenticates the requests of a session. The token of a cookie session is the cookie's value.
 * @property outputs values of responses that later calls need, by the description's names
 * @property cookies those that the description names, and no others
 * @property typed the names of outputs that are no secrets: the user typed them, such as an email that serves as an id, or
 * the description says so
 */
export type Credential = {
  token?: string;
  outputs?: Readonly<Record<string, string>>;
  cookies?: Readonly<Record<string, string>>;
  typed?: readonly string[];
};

/** In characters. No login has a longer response, and no header a longer value. */
const longestBody = 262_144;
const longestOutput = 32_768;

/** The secrets of a credential: all values but the outputs that are known to be public. */
export const credentialSecrets = ({ token, outputs = {}, cookies = {}, typed = [] }: Credential): string[] => [
  ...(token === undefined ? [] : [token]),
  ...Object.entries(outputs).flatMap(([name, value]) => (typed.includes(name) ? [] : [value])),
  ...Object.values(cookies),
];

/** A credential without its secrets: the outputs that paths may need. */
export const withoutCredentialSecrets = ({ outputs = {}, typed = [] }: Credential): Credential => ({
  outputs: Object.fromEntries(Object.entries(outputs).filter(([name]) => typed.includes(name))),
});

/** The output that stores the refresh token. It is stored even if no call sends it: the token alone then renews nothing. */
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
 * The outputs of a session after a response. A refresh token that is not where the description says is looked for in the
 * whole response.
 * @param options.givesTokens whether the outputs of the body count, too
 * @param options.callOutputs the expressions of this call alone, which count in any case
 */
export function updateOutputs(
  description: InterfaceDescription,
  { rawHeaders, body }: { rawHeaders: Headers; body: string },
  before: Credential,
  { givesTokens, callOutputs }: { givesTokens: boolean; callOutputs: Readonly<Record<string, string>> },
): Record<string, string> {
  const outputs: Record<string, string> = { ...before.outputs };
  const isRead = givesTokens || Object.keys(callOutputs).length > 0;
  const json = isRead ? parseLoginBody(body) : undefined;
  const all = Object.entries({ ...expressionsIn(description.outputs), ...callOutputs });
  const read = all.filter(
    ([output, expression]) => headerIn(expression) !== undefined || givesTokens || Object.hasOwn(callOutputs, output),
  );
  const found = new Map(Object.entries(evaluateOutputs(Object.fromEntries(read), { rawHeaders, body }, json)));
  for (const [output, text] of found) outputs[output] = text;
  const missing = givesTokens ? refreshOutputs(description).filter((output) => !found.has(output)) : [];
  const refreshToken = missing.length > 0 ? findRefreshToken(json, rawHeaders) : undefined;
  if (refreshToken !== undefined && refreshToken.length <= longestOutput)
    for (const output of missing) outputs[output] = refreshToken;
  return outputs;
}

/** The body of a response that may have credentials; undefined for a longer one, which could take all memory. */
export const parseLoginBody = (body: string): PlainJson | undefined =>
  body.length <= longestBody ? parseJson(body) : undefined;

/**
 * The values of outputs in a response, without those that it lacks or that are too long.
 * @param json the parsed body
 */
export function evaluateOutputs(
  expressions: Readonly<Record<string, string>>,
  { rawHeaders, body }: { rawHeaders: Headers; body: string },
  json: PlainJson | undefined,
): Record<string, string> {
  const found = Object.entries(expressions).flatMap(([output, expression]): [string, string][] => {
    if (output === 'user' || output === 'message') return [];
    const header = headerIn(expression);
    const value = header === undefined ? readExpression(expression, json, body) : lastOf(rawHeaders, header);
    const text = value?.replace(/^Bearer\s+/i, '').trim();
    return text !== undefined && text !== '' && text.length <= longestOutput ? [[output, text]] : [];
  });
  return Object.fromEntries(found);
}

/** The outputs that are the refresh token: the one of the renewal, and those that a logout may need. */
function refreshOutputs(description: InterfaceDescription): string[] {
  const byName = Object.entries(expressionsIn(description.outputs)).flatMap(([output, expression]) =>
    output !== 'token' && (isRefreshName(output) || isRefreshName(lastPart(expression))) ? [output] : [],
  );
  return [...new Set([...byName, ...[refreshOutput(description) ?? []].flat()])];
}

const lastPart = (expression: string): string => expression.slice(expression.lastIndexOf('/') + 1);

/** The last value of a header. */
const lastOf = (headers: Headers, name: string): string | undefined =>
  headers.findLast(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];

/** The names of outputs whose value the user typed into a field that is no password, whatever its case. */
export function enteredOutputs(
  outputs: Readonly<Record<string, string>>,
  fields: PlaceholderValues | string | undefined,
  { outputs: before = {}, typed = [] }: Credential,
): string[] {
  const entered = new Set(typeof fields === 'object' ? Object.entries(fields).flatMap(textsOf) : []);
  return Object.entries(outputs).flatMap(([name, value]) => {
    const isUnchanged = typed.includes(name) && before[name] === value;
    return isUnchanged || entered.has(toComparable(value)) ? [name] : [];
  });
}

const toComparable = (text: string): string => text.trim().toLowerCase();

const textsOf = ([name, value]: [string, PlainJson | undefined]): string[] =>
  isFieldName(name) && name !== 'password' && name !== 'cpassword' && typeof value === 'string'
    ? [toComparable(value)]
    : [];
