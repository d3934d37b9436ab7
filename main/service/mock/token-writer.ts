import { createHmac, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { createTokenSecret } from '../domain/bearer.ts';
import type { MockDependencies } from './mock-token-store.ts';
import { alphabets, type Placeholder, type Segment, type TokenForm } from './mock-definition.ts';
import { renderText, renderSegments, renderJson, type TemplateValues } from './render-response.ts';

type OpaqueForm = Extract<TokenForm, { kind: 'opaque' }>;

type JwtParts = { header: string; payload: string; signature: string };

/** Parts a JSON Web Token; undefined for any other text. */
export function partsOfJwt(token: string): JwtParts | undefined {
  const [header, payload, signature, ...more] = token.split('.');
  if (header === undefined || payload === undefined || signature === undefined || more.length > 0) return undefined;
  return { header, payload, signature };
}

/** Makes what signs with a key of its own, as an algorithm of RFC 7518 does. */
function createSigner(algorithm: string): (text: string) => string {
  const [, family, bits = '256'] = /^(HS|RS|PS|ES)(256|384|512)$/.exec(algorithm) ?? [];
  const hash = `sha${bits}`;
  if (algorithm.toLowerCase() === 'none') return () => '';
  if (family === 'RS' || family === 'PS') {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    return (text) => sign(hash, Buffer.from(text), privateKey).toString('base64url');
  }
  const namedCurve = { '256': 'P-256', '384': 'P-384', '512': 'P-521' }[bits];
  if (family === 'ES' && namedCurve !== undefined) {
    const { privateKey }: { privateKey: KeyObject } = generateKeyPairSync('ec', { namedCurve });
    return (text) =>
      sign(hash, Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  }
  const key = randomBytes(64);
  return (text) =>
    createHmac(family === 'HS' ? hash : 'sha512', key)
      .update(text)
      .digest('base64url');
}

/** Says whether a text could be made of these parts. A place ends where what follows it begins. */
export const matchesSegments = (text: string, segments: OpaqueForm['segments']): boolean => {
  let at = 0;
  for (const [which, each] of segments.entries()) {
    if ('text' in each) {
      if (!text.startsWith(each.text, at)) return false;
      at += each.text.length;
    } else if ('place' in each) {
      const next = segments[which + 1];
      const end = next && 'text' in next ? text.indexOf(next.text, at) : text.length;
      if (end <= at) return false;
      at = end;
    } else {
      const signs = alphabets[each.of];
      for (let sign = 0; sign < each.count; sign += 1, at += 1) if (!signs.includes(text[at] ?? '\0')) return false;
    }
  }
  return at === text.length;
};

/** Makes what writes tokens of a form. A JSON Web Token is signed by a key of the mock's own. */
export function createTokenWriter(
  form: TokenForm,
  { createSecret = createTokenSecret }: Pick<MockDependencies, 'createSecret'>,
): (values: TemplateValues, draw?: TemplateValues['random']) => string {
  const signed = form.kind === 'jwt' ? createSigner(form.algorithm) : undefined;

  /** A service that makes guessable tokens on purpose makes all of them of its one secret. */
  const drawSecret: TemplateValues['random'] = (of, count) => {
    const signs = alphabets[of];
    let text = '';
    while (text.length < count) {
      for (const sign of createSecret().slice(0, 40)) text += signs[sign.charCodeAt(0) % signs.length] ?? '';
    }
    return text.slice(0, count);
  };

  let serial = 0;

  return (given, draw) => {
    serial += 1;
    // What is drawn again has to be the same again.
    const values = { ...given, serial: draw ? 1 : serial };
    if (form.kind === 'opaque') {
      const textOf = (each: Segment | Placeholder): string =>
        'place' in each ? renderText([each], values) : renderSegments([each], draw ?? drawSecret, values.nowMs);
      return form.segments.map(textOf).join('');
    }
    const encoded = (text: string): string => Buffer.from(text).toString('base64url');
    const text = `${encoded(renderJson(form.header, values))}.${encoded(renderJson(form.claims, values))}`;
    return `${text}.${signed?.(text) ?? ''}`;
  };
}
