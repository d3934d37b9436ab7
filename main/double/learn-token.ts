import type { Json } from '../client/reading/json.ts';
import { readJsonWebToken } from '../client/reading/json-web-token.ts';
import type { TokenForm } from '../service/double/model.ts';
import { inferTemplate, type Inference, type Known } from './infer.ts';
import { jsonOf } from './observed.ts';
import { segmentsOf } from './shapes.ts';

/** A token that the server gave, and what is known of the call that it came with. */
export type GivenToken = { token: string; known: Known; call: string };

const guessableBits = 64;
const fewestToJudge = 4;

/** The form of our own tokens, for a server of which none was seen. */
const own: TokenForm = { kind: 'opaque', hasId: true, segments: [{ of: 'letters-and-digits', count: 48 }], calls: [] };

const nothing: Json = { values: new Map(), keys: new Map() };
const partOf = (part: string): Json => jsonOf(Buffer.from(part, 'base64url').toString()) ?? nothing;

function opaqueForm(tokens: readonly string[], calls: string[]): TokenForm {
  const hasId = tokens.every((token) => /^\d+\|[^|\s]+$/.test(token));
  const secrets = tokens.map((token) => (hasId ? token.slice(token.indexOf('|') + 1) : token));
  const [first = ''] = secrets;
  const same = secrets.filter(({ length }) => length === first.length);
  const isSame = (at: number): boolean => same.every((text) => text[at] === first[at]);
  const varying = Array.from(first, (_sign, at) => !isSame(at)).filter(Boolean).length;
  const isGuessable = same.length >= fewestToJudge && varying * Math.log2(36) < guessableBits;
  const [prefix = ''] = /^[A-Za-z]{2,20}_(?:[a-z]{2,10}_)?/.exec(first) ?? [];
  const isPrefixed = same.length >= fewestToJudge && prefix !== '' && same.every((text) => text.startsWith(prefix));
  const segments = segmentsOf(same, (at) => isSame(at) && (isGuessable || (isPrefixed && at < prefix.length)));
  return { kind: 'opaque', hasId, segments, calls };
}

/** Learns the form of the tokens: what they are made of, and nothing of any of them. */
export function learnTokenForm(given: readonly GivenToken[], inference: Inference): TokenForm {
  const [first] = given;
  if (!first) return own;
  const unique = [...new Map(given.map((each) => [each.token, each])).values()];
  const calls = unique.map(({ call }) => call).slice(0, 20);
  const read = unique.flatMap(({ token, known }) => {
    const jwt = readJsonWebToken(token);
    return jwt ? [{ jwt, known }] : [];
  });
  const [jwt] = read;
  if (!jwt || read.length < unique.length)
    return opaqueForm(
      unique.map(({ token }) => token),
      calls,
    );
  const knowns = read.map(({ known }) => known);
  const claims = read.map((each) => partOf(each.jwt.payload));
  return {
    kind: 'jwt',
    algorithm: jwt.jwt.algorithm.slice(0, 20),
    header: inferTemplate('', [partOf(jwt.jwt.header)], knowns.slice(0, 1), inference),
    claims: inferTemplate('', claims, knowns, { ...inference, isOfTokens: true }),
    calls,
  };
}
