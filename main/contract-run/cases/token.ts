import type { CaseAnswer } from '../../../preload/contract/report-cases.ts';
import { readBody } from '../../client/reading/body.ts';
import { isList, isObject, type Json } from '../../client/reading/json.ts';
import { fold } from '../../secrets/secret-names.ts';
import type { SecretReferences } from '../../secrets/secret-references.ts';
import { isUnclear, judged, needs, raisedIf, type Case } from '../case.ts';
import { newPassword } from '../identities.ts';
import type { Probe } from '../probe.ts';
import { repeatableLast, type Seen } from '../seen.ts';

/** This is line 34 of the interface. */
const statedForm = /^\d+\|[^|\s]+$/;
const jsonWebToken = /^eyJ[\w-]+\.([\w-]+)\.[\w-]*$/;

/** Fewer tokens tell little of how they are made. */
const fewestTokens = 4;
/** Below this we say that tokens can be guessed; OWASP's measure is 128. */
const guessableBits = 64;

const isAccepted = ({ handling }: Seen): boolean => handling === 'accepted';

/** Returns the answer that gave the first token: a login's, else a registration's. */
const tokenAnswer = (probe: Probe): Seen | undefined =>
  [...probe.ofCase('login.right-credentials'), ...probe.ofCase('registration.served')].find(
    ({ reading }) => reading.meaning.token !== undefined,
  );

/** All values under one of some folded names. */
function valuesNamed(names: ReadonlySet<string>, value: Json): Json[] {
  const found: Json[] = [];
  function walk(value: Json): void {
    if (isList(value)) for (const each of value) walk(each);
    if (!isObject(value)) return;
    for (const [key, inner] of value.values) {
      if (names.has(fold(key))) found.push(inner);
      walk(inner);
    }
  }
  walk(value);
  return found;
}

const secondsNames = new Set(['expiresin', 'expirein', 'expiraen', 'ttl', 'tokenttl', 'validfor', 'lifetime']);
const dateNames = new Set([
  'expiresat',
  'expireat',
  'expiraat',
  'expiration',
  'expiry',
  'expires',
  'expira',
  'tokenexpiresat',
]);
const scopeNames = new Set(['scope', 'scopes', 'abilities', 'permissions', 'permisos', 'alcance', 'alcances']);

/** Returns how many seconds the token will work, as far as the answer or the token itself says. */
function lifetimeOf({ call, reading }: Seen): number | undefined {
  const { json } = readBody(call?.response?.body ?? '');
  for (const value of valuesNamed(secondsNames, json)) {
    const seconds = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
    if (Number.isFinite(seconds) && seconds > 0) return seconds;
  }
  const startedMs = Date.parse(call?.startedAt ?? '');
  for (const value of valuesNamed(dateNames, json)) {
    const endsMs = typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? instantOf(value) : NaN;
    if (Number.isFinite(endsMs - startedMs)) return Math.round((endsMs - startedMs) / 1000);
  }
  const claims = claimsOf(reading.meaning.token ?? '');
  const [expires] = valuesNamed(new Set(['exp']), claims);
  const [issued] = valuesNamed(new Set(['iat']), claims);
  if (typeof expires !== 'number') return undefined;
  return Math.round(expires - (typeof issued === 'number' ? issued : startedMs / 1000));
}

/** Reads seconds or milliseconds since 1970. */
const instantOf = (value: number): number => (value < 1e12 ? value * 1000 : value);

/** Returns what a JSON Web Token says of itself, and nothing for any other token. */
function claimsOf(token: string): Json {
  const [, payload = ''] = jsonWebToken.exec(token) ?? [];
  return readBody(Buffer.from(payload, 'base64url').toString()).json;
}

function scopesOf({ call, reading }: Seen, { hide }: SecretReferences): string[] {
  const scopes: string[] = [];
  for (const place of [readBody(call?.response?.body ?? '').json, claimsOf(reading.meaning.token ?? '')]) {
    for (const value of valuesNamed(scopeNames, place)) {
      const named = typeof value === 'string' ? value.split(/[\s,]+/) : isList(value) ? value : [];
      for (const each of named) if (typeof each === 'string' && each !== '') scopes.push(hide(each).slice(0, 100));
    }
  }
  return scopes.slice(0, 50);
}

/**
 * Estimates how many bits of a token nobody knows who has seen others: those of the places at which they differ. A
 * place at which random letters agree in four tokens or more is rare.
 */
function unknownBits(tokens: readonly string[]): number {
  const opaque = tokens.map((token) => token.slice(token.indexOf('|') + 1));
  const letters = opaque.join('');
  const alphabet = /^\d*$/.test(letters) ? 10 : /^[0-9a-f]*$/i.test(letters) ? 16 : 62;
  const length = Math.min(...opaque.map((each) => each.length));
  const differing = Array.from({ length }, (_, at) => new Set(opaque.map((each) => each[at])).size).filter(
    (letters) => letters > 1,
  );
  return Math.round(differing.length * Math.log2(alphabet));
}

export const tokenCases: readonly Case[] = [
  {
    id: 'token.form',
    kind: 'stated',
    section: 2,
    lines: [34],
    needs: ['token.source'],
    calls: 0,
    run(probe) {
      const token = tokenAnswer(probe)?.reading.meaning.token ?? '';
      return { passed: statedForm.test(token), answers: [{ question: 'token-form', value: formOf(token) }] };
    },
  },
  {
    id: 'token.source',
    kind: 'observed',
    section: 4,
    lines: [59],
    needs: ['login.right-credentials'],
    calls: 0,
    run(probe) {
      const seen = tokenAnswer(probe);
      const place = seen?.reading.why.token?.path;
      if (!seen || place === undefined) {
        const error = probe.ofCase('login.right-credentials').at(-1)?.error;
        return error ? { notMeasured: { kind: 'unreadable', error } } : needs('login.right-credentials');
      }
      return {
        answers: [
          {
            question: 'token-place',
            subject: seen.operation,
            value: { kind: 'text', text: [probe.references.hide(place).slice(0, 200)] },
          },
          { question: 'token-form', value: formOf(seen.reading.meaning.token ?? '') },
        ],
      };
    },
  },
  {
    id: 'token.lifetime',
    kind: 'observed',
    section: 5,
    lines: [66],
    needs: ['token.source'],
    calls: 0,
    run(probe) {
      const seen = tokenAnswer(probe);
      if (!seen) return needs('token.source');
      const seconds = lifetimeOf(seen);
      const scopes = scopesOf(seen, probe.references);
      return {
        answers: [
          {
            question: 'token-lifetime',
            value: seconds === undefined ? { kind: 'none' } : { kind: 'seconds', seconds },
          },
          { question: 'token-scopes', value: scopes.length === 0 ? { kind: 'none' } : { kind: 'list', items: scopes } },
        ],
      };
    },
  },
  {
    id: 'token.randomness',
    kind: 'observed',
    section: 2,
    lines: [34, 66],
    needs: ['token.source'],
    calls: 0,
    when: 'at-end',
    run(probe) {
      const tokens = probe.tokens();
      if (tokens.length < fewestTokens) return needs('login.two-tokens');
      const bits = unknownBits(tokens);
      const answers: CaseAnswer[] = [{ question: 'token-randomness', value: { kind: 'bits', bits, atLeast: false } }];
      const givers = probe.everything().filter(({ reading }) => reading.meaning.token !== undefined);
      return {
        answers,
        raised: raisedIf(bits < guessableBits, 'tokens-guessable', repeatableLast(givers).slice(-5), answers),
      };
    },
  },
  {
    id: 'token.required',
    kind: 'stated',
    section: 5,
    lines: [49, 50, 63],
    calls: 2,
    async run(probe) {
      const profile = await probe.call({ operation: 'perfil' });
      const logout = await probe.call({ operation: 'salir' });
      const unclear = [profile, logout].find(isUnclear) ?? profile;
      const answers = [probe.reply('token-missing', profile, 'perfil'), probe.reply('token-missing', logout, 'salir')];
      const passed = profile.handling === 'refused' && logout.handling === 'refused';
      return judged(unclear, passed, {
        answers,
        raised: raisedIf(isAccepted(profile), 'profile-without-token', [profile], answers),
      });
    },
  },
  {
    id: 'token.missing',
    kind: 'observed',
    section: 5,
    lines: [67],
    calls: 0,
    needs: ['token.required'],
    run: (probe) => ({
      answers: probe.ofCase('token.required').map((seen) => probe.reply('token-missing', seen, seen.operation)),
    }),
  },
  {
    id: 'token.invalid',
    kind: 'observed',
    section: 5,
    lines: [67],
    calls: 4,
    async run(probe) {
      const answers: CaseAnswer[] = [];
      const accepted: Seen[] = [];
      for (const [question, token] of [
        ['token-malformed', 'not-a-token'],
        ['token-foreign', `${Date.now() % 1_000_000}|${newPassword(48).replaceAll(/\W/g, 'x')}`],
      ] as const) {
        for (const operation of ['perfil', 'salir'] as const) {
          const seen = await probe.call({ operation, token });
          answers.push(probe.reply(question, seen, operation));
          if (operation === 'perfil' && isAccepted(seen)) accepted.push(seen);
        }
      }
      return { answers, raised: raisedIf(accepted.length > 0, 'profile-without-token', accepted, answers) };
    },
  },
  {
    id: 'token.scheme-case',
    kind: 'observed',
    section: 5,
    lines: [63, 67],
    needs: ['token.source'],
    calls: 2,
    async run(probe) {
      const [account] = probe.accounts();
      if (!account) return needs('token.source');
      const seen = await probe.call({ operation: 'perfil', token: await probe.tokenOf(account), scheme: 'bearer' });
      return { answers: [probe.reply('scheme-in-lower-case', seen, 'perfil')] };
    },
  },
];

function formOf(token: string): CaseAnswer['value'] {
  const choice = statedForm.test(token) ? 'id-and-opaque' : jsonWebToken.test(token) ? 'jwt' : 'other';
  return { kind: 'choice', choice };
}
