import type { Json } from '../client/reading/json.ts';
import { readJsonWebToken } from '../client/reading/json-web-token.ts';
import type { TokenForm } from '../service/double/model.ts';
import { inferTemplate, type Inference } from './infer.ts';
import { opaqueForm, type GivenToken } from './learn-opaque-token.ts';
import { jsonOf } from './observed.ts';

/** The form of our own tokens, for a server of which none was seen. */
const own: TokenForm = { kind: 'opaque', hasId: true, segments: [{ of: 'letters-and-digits', count: 48 }], calls: [] };

const nothing: Json = { values: new Map(), keys: new Map() };
const partOf = (part: string): Json => jsonOf(Buffer.from(part, 'base64url').toString()) ?? nothing;

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
  if (!jwt || read.length < unique.length) return opaqueForm(unique, calls);
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
