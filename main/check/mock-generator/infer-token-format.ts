import type { Placeholder, Segment, TokenForm } from '../../service/mock/mock-definition.ts';
import { inferTextPlaceholder, inferTemplate, type TemplateContext } from './infer-template.ts';
import { type AnalyzedCall, type CallContext, parseExactJson } from './analyzed-calls.ts';
import { createCallContext } from './infer-answers.ts';
import { isUuid, inferSegments } from './value-formats.ts';
import type { JsonValue } from '../../client/reading/json.ts';
import { readJsonWebToken } from '../../client/reading/json-web-token.ts';

/** A token that the server gave, and what is known of the call that it came with. */
type TokenSample = { token: string; known: CallContext; call: string };

type OpaqueForm = Extract<TokenForm, { kind: 'opaque' }>;

const guessableBits = 64;
const fewestToJudge = 4;
const mostParts = 50;
/** A longer one that never changes may be a secret of the server. */
const longestKept = 12;

/** One place of all tokens: what stands between two signs. */
type Column = { texts: string[]; knowns: readonly CallContext[]; isSign: boolean };

/** Cuts texts at signs, where all of them have the same ones in the same order. */
function cutAt(signs: RegExp, { texts, knowns }: Pick<Column, 'texts' | 'knowns'>): Column[] | undefined {
  const cut = texts.map((text) => text.split(signs));
  const [first = []] = cut;
  const isAlike = cut.every(
    (parts) => parts.length === first.length && parts.every((part, at) => at % 2 === 0 || part === first[at]),
  );
  if (!isAlike || first.length > mostParts) return undefined;
  return first.map((_part, at) => ({ texts: cut.map((parts) => parts[at] ?? ''), knowns, isSign: at % 2 === 1 }));
}

const areSameLength = (texts: readonly string[]): boolean => new Set(texts.map(({ length }) => length)).size === 1;

/** Cuts tokens into places, at signs first, and at dashes where these cannot be drawn characters. */
function columnsOf(whole: Column): Column[] {
  if (whole.texts.every(isUuid)) return [whole];
  return (cutAt(/([^\w=+/-]+)/, whole) ?? [whole]).flatMap((column) => {
    if (column.isSign || column.texts.length < fewestToJudge || column.texts.every(isUuid)) return [column];
    const inner = cutAt(/([_-])/, column);
    const isClear = inner?.every(({ texts }) => areSameLength(texts) || texts.every((text) => /^\d+$/.test(text)));
    return inner && isClear ? inner : [column];
  });
}

/** How many characters of a column differ from token to token. */
const varyingIn = ({ texts: [first = '', ...others] }: Column): number =>
  Array.from(first, (sign, at) => others.some((text) => text[at] !== sign)).filter(Boolean).length;

function partsOf(column: Column, isGuessable: boolean): (Segment | Placeholder)[] {
  const { texts, knowns, isSign } = column;
  const [first = ''] = texts;
  if (first === '' && texts.every((text) => text === '')) return [];
  const isSame = texts.every((text) => text === first);
  if (isSign) return [{ text: first }];
  const place = inferTextPlaceholder('', texts, knowns);
  if (place) return [place];
  const isNumber = texts.every((text) => /^\d{1,15}$/.test(text));
  if (isSame && texts.length >= fewestToJudge && first.length <= longestKept) return [{ text: first }];
  if (isNumber && !areSameLength(texts)) return [{ place: 'serial' }];
  const alike = texts.filter(({ length }) => length === first.length);
  return inferSegments(alike, (at) => isGuessable && alike.every((text) => text[at] === first[at]));
}

/** Puts neighbours that never change together. */
function joined(parts: readonly (Segment | Placeholder)[]): (Segment | Placeholder)[] {
  const all: (Segment | Placeholder)[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (last && 'text' in last && 'text' in part) all.splice(-1, 1, { text: last.text + part.text });
    else all.push(part);
  }
  return all.slice(0, mostParts);
}

/**
 * Learns the form of tokens place by place: what never changes, whom and when a place tells of, and else of which
 * characters it is drawn.
 */
function opaqueForm(given: readonly TokenSample[], calls: string[]): OpaqueForm {
  const hasId = given.every(({ token }) => /^\d{1,15}\|[^|\s]+$/.test(token));
  const texts = given.map(({ token }) => (hasId ? token.slice(token.indexOf('|') + 1) : token));
  // Within a token nothing stands for the token itself.
  const knowns = given.map(({ known }) => ({ ...known, token: undefined }));
  const columns = columnsOf({ texts, knowns, isSign: false });
  const varying = columns.reduce((sum, column) => sum + varyingIn(column), 0);
  const isGuessable = texts.length >= fewestToJudge && varying * Math.log2(36) < guessableBits;
  const segments = joined(columns.flatMap((column) => partsOf(column, isGuessable)));
  return { kind: 'opaque', hasId, segments, calls };
}

/** The tokens that the server gave, each with its call. */
export const tokenSamplesIn = (all: readonly AnalyzedCall[], lifetimeSeconds: number | undefined): TokenSample[] =>
  all.flatMap((call) => {
    const { token } = call.observation.reading.summary;
    return token === undefined ? [] : [{ token, known: createCallContext(call, lifetimeSeconds), call: call.id }];
  });

/** The form of our own tokens, for a server of which none was seen. */
const own: TokenForm = { kind: 'opaque', hasId: true, segments: [{ of: 'letters-and-digits', count: 48 }], calls: [] };

const nothing: JsonValue = { values: new Map(), keys: new Map() };
const partOf = (part: string): JsonValue => parseExactJson(Buffer.from(part, 'base64url').toString()) ?? nothing;

/** Learns the form of the tokens: what they are made of, and nothing of any of them. */
export function inferTokenFormat(given: readonly TokenSample[], inference: TemplateContext): TokenForm {
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
