import type { InterfaceDescription } from '../../preload/contract/interface.ts';
import { outputsIn } from './outputs.ts';
import { credentialOutput, operationSecurity } from './security-schemes.ts';
import { isRecord, placeholderNames, type PlainJson } from './template.ts';

/** What names of refresh tokens have in common, in the languages of the words (`main/client/reading/vocabulary.json`). */
const stem = /refresh|renew|renov|refresc|rinnov|rafraich|aktualisier|actualiza|atualiza/;
/** A name that says by itself that it is the token, and not a link, a time or a flag. */
const namesToken = /token|jwt|key|jeton/;
/** Names about a refresh token: when it ends, or where it is fetched. */
const aboutIt =
  /expir|exp$|ttl|life|age$|valid|second|interval|timeout|count|type|ur[li]$|link|endpoint|path|enabled|required|allowed|[^t]id$|tokenid$|at$|in$|(?<!ci)on$|date|time|name$|hash/;
/** Under these a refresh token that is an object has the token itself: `tokens.refresh.token`. */
const innerNames = new Set(['token', 'value', 'jwt', 'plaintext', 'raw', 'string']);

/** In members of an answer: what is looked at. */
const mostMembers = 2000;
const deepest = 6;
/** In characters: a name of a form such as `rt` is a token only where its value is long. */
const surelyOpaque = 16;

const folded = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Whether a name is one of a refresh token: `refresh`, `refresh_token`, `refreshJwt`, `tokenDeRenovacion`. */
export function isRefreshName(name: string): boolean {
  const bare = folded(name.slice(0, 100));
  if (!stem.test(bare)) return bare === 'rt' || bare === 'rtoken';
  return !aboutIt.test(bare) && (bare.startsWith('refresh') || namesToken.test(bare));
}

/** The output by which a session is renewed: what that call says, or else the token itself. A cookie is no output. */
export function renewalOutput(description: InterfaceDescription): string | undefined {
  const { calls } = description;
  if (!calls.refresh) return undefined;
  const outputs = new Set(outputsIn(description).map(({ name }) => name));
  const isOutput = (name: string): boolean => name !== 'token' && outputs.has(name);
  const own = operationSecurity(description, 'refresh') ?? [];
  const names = [...own.flatMap((way) => credentialOutput(way) ?? []), ...placeholderNames(calls.refresh.body)].filter(
    isOutput,
  );
  return names.find(isRefreshName) ?? names[0] ?? 'token';
}

/**
 * Finds the refresh token of an answer, whatever its name and depth, the nearest to the top first.
 * @param headers as received; HTTP's own `Refresh` is something else
 */
export const findRefreshToken = (json: PlainJson | undefined, headers: Headers): string | undefined =>
  locateRefreshToken(json, headers)?.value;

type Headers = readonly (readonly [name: string, value: string])[];

/** Finds the refresh token of an answer, with the names on the way to it in the body, or the name of its header. */
export function locateRefreshToken(
  json: PlainJson | undefined,
  headers: Headers,
): { value: string; way: readonly string[] } | { value: string; header: string } | undefined {
  const waiting: { value: PlainJson | undefined; way: readonly string[] }[] = [{ value: json, way: [] }];
  let seen = 0;
  for (const { value, way } of waiting) {
    if (value === null || typeof value !== 'object' || way.length > deepest) continue;
    for (const [name, inner] of Object.entries(value)) {
      seen += 1;
      if (seen > mostMembers) return undefined;
      const found = !Array.isArray(value) && isRefreshName(name) ? tokenOf(name, inner) : undefined;
      if (found !== undefined) return { value: found.text, way: [...way, name, ...found.way] };
      // What a server reports of a failure is nothing that it gives.
      if (!/^errors?$/i.test(name)) waiting.push({ value: inner, way: [...way, name] });
    }
  }
  const header = headers.find(([name]) => isRefreshName(name) && namesToken.test(folded(name)));
  const found = header && tokenOf(...header);
  return found && { value: found.text, header: header[0] };
}

/** The token that stands under a name of one: a text, or the token within an object about it. */
function tokenOf(name: string, value: PlainJson): { text: string; way: readonly string[] } | undefined {
  if (isRecord(value)) {
    const inner = Object.entries(value).find(([each]) => innerNames.has(folded(each)) || isRefreshName(each));
    const found = inner && typeof inner[1] === 'string' ? tokenOf('token', inner[1]) : undefined;
    return found && inner && { text: found.text, way: [inner[0]] };
  }
  if (typeof value !== 'string') return undefined;
  const text = value.replace(/^Bearer\s+/i, '').trim();
  const isToken = text !== '' && !/\s|^(?:null|undefined|none|true|false)$|^https?:|^\//i.test(text);
  const isNamed = stem.test(folded(name)) || name === 'token' || text.length >= surelyOpaque;
  return isToken && isNamed ? { text, way: [] } : undefined;
}
