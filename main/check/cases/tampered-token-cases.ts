import { constants, createHmac, generateKeyPair, randomBytes, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { CaseAnswer, Question } from '../../../preload/contract/report-cases.ts';
import { readJsonWebToken, type JsonWebToken } from '../../client/reading/json-web-token.ts';
import { createUnmetDependency, findingIf, type Case } from '../case.ts';
import { isAccepted, isSentWithoutToken, type Observation } from '../observation.ts';

type Altered = string | undefined;
type Alteration = { question: Question; alter: (token: JsonWebToken) => Altered | Promise<Altered> };

/** A server that verifies its JSON Web Tokens refuses each of these. */
const ofJsonWebToken: readonly Alteration[] = [
  { question: 'token-signature-cut', alter: ({ header, payload }) => `${header}.${payload}.` },
  {
    question: 'token-signature-altered',
    alter: ({ header, payload, signature }) =>
      signature === '' ? `${header}.${payload}.AAAA` : `${header}.${payload}.${withOneChanged(signature)}`,
  },
  {
    question: 'token-other-key',
    async alter({ header, payload, algorithm }) {
      const signed = await signedByAnother(algorithm, `${header}.${payload}`);
      return signed && `${header}.${payload}.${signed}`;
    },
  },
  {
    question: 'token-alg-none',
    alter: ({ payload }) => `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${payload}.`,
  },
  {
    question: 'token-claim-changed',
    alter: ({ header, payload, signature }) => `${header}.${withClaimChanged(payload)}.${signature}`,
  },
];

/** Alters a token in ways that its server never issued, with the question that each answers. */
export async function createTamperedTokens(token: string): Promise<{ question: Question; altered: string }[]> {
  const parts = readJsonWebToken(token);
  if (!parts) return [{ question: 'token-character-changed', altered: withOneChanged(token) }];
  const forms: { question: Question; altered: string }[] = [];
  for (const { question, alter } of ofJsonWebToken) {
    const altered = await alter(parts);
    // An unsigned token equals some of its alterations.
    if (altered !== undefined && altered !== token) forms.push({ question, altered });
  }
  return forms;
}

/**
 * Changes one character of the longest run of letters and digits: the one in its middle, since at the end of base64
 * there are bits that nobody reads. The new one differs also where letters of both cases are the same.
 */
function withOneChanged(text: string): string {
  let longest = { at: 0, length: 0 };
  for (const { 0: run, index } of text.matchAll(/[a-z0-9]+/gi)) {
    if (run.length > longest.length) longest = { at: index, length: run.length };
  }
  const at = longest.at + Math.floor(Math.max(0, longest.length - 1) / 2);
  const [before = ''] = text.slice(at, at + 1);
  // All of these are digits of hexadecimal numbers, too.
  const other = /\d/.test(before) ? String((Number(before) + 1) % 10) : /^a$/i.test(before) ? 'b' : 'a';
  const inCase = before === before.toUpperCase() ? other.toUpperCase() : other;
  return text.slice(0, at) + inCase + text.slice(at + 1);
}

/** Moves the expiry by a day, or adds a claim if there is none. Bytes that are no UTF-8 stay. */
function withClaimChanged(payload: string): string {
  const text = Buffer.from(payload, 'base64url').toString('latin1');
  const later = text.replace(/"exp"\s*:\s*(\d{1,15})/, (_all, ends: string) => `"exp":${Number(ends) + 86_400}`);
  const rest = text.trimStart().slice(1).trimStart();
  const changed = later === text ? `{"llavero":true${rest.startsWith('}') ? '' : ','}${rest}` : later;
  return Buffer.from(changed, 'latin1').toString('base64url');
}

const makeKeyPair = promisify(generateKeyPair);
const curves: Partial<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };

/** Signs with a new key (RFC 7518); undefined for an unknown algorithm. */
async function signedByAnother(algorithm: string, text: string): Promise<Altered> {
  const [, family, bits] = /^(HS|RS|PS|ES)(256|384|512)$/.exec(algorithm) ?? [];
  const hash = `sha${bits}`;
  const data = Buffer.from(text);
  if (family === 'HS') return createHmac(hash, randomBytes(64)).update(data).digest('base64url');
  if (family === 'RS' || family === 'PS') {
    const { privateKey: key } = await makeKeyPair('rsa', { modulusLength: 2048 });
    const padding = family === 'RS' ? constants.RSA_PKCS1_PADDING : constants.RSA_PKCS1_PSS_PADDING;
    const saltLength = constants.RSA_PSS_SALTLEN_DIGEST;
    return sign(hash, data, { key, padding, saltLength }).toString('base64url');
  }
  const namedCurve = curves[algorithm];
  if (namedCurve !== undefined) {
    const { privateKey: key } = await makeKeyPair('ec', { namedCurve });
    return sign(hash, data, { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  }
  if (algorithm !== 'EdDSA' && algorithm !== 'Ed25519') return undefined;
  const { privateKey } = await makeKeyPair('ed25519', {});
  return sign(null, data, privateKey).toString('base64url');
}

export const tamperedTokenCases: readonly Case[] = [
  {
    id: 'token.altered',
    hasIndependentCalls: true,
    kind: 'observed',
    section: 5,
    lines: [67],
    needs: ['profile.served', 'token.invalid'],
    calls: 8,
    async run(client) {
      const [account] = client.accounts();
      if (!account) return createUnmetDependency('token.source');
      const token = await client.tokenOf(account);
      const answers: CaseAnswer[] = [];
      const accepted: Observation[] = [];
      for (const { question, altered } of await createTamperedTokens(client.sessions.currentToken(token))) {
        // A server that verifies nothing accepts it like the token.
        client.secretRegistry.register(altered, 'token');
        const seen = await client.call({ operation: 'profile', token: altered, tamperedFrom: token });
        answers.push(client.reply(question, seen, 'profile'));
        if (isAccepted(seen)) accepted.push(seen);
      }
      // The refusals mean something only while the token itself works.
      const control = await client.call({ operation: 'profile', token });
      if (!isAccepted(control)) return { notMeasured: { kind: 'unstable' } };
      // A server that accepts any token has another finding.
      const anything = [
        ...client.observationsOf('token.required').filter(isSentWithoutToken),
        ...client.observationsOf('token.invalid'),
      ].some((seen) => seen.operation === 'profile' && isAccepted(seen));
      return { answers, findings: findingIf(accepted.length > 0 && !anything, 'token-unverified', accepted, answers) };
    },
  },
];
