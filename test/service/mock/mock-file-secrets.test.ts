import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { CaseId } from '../../../preload/contract/report-cases.ts';
import { createKnownSecrets } from '../../../main/client/secrets/known-secrets.ts';
import { SecretRegistry } from '../../../main/client/secrets/secret-registry.ts';
import { inferTemplate } from '../../../main/check/mock-generator/infer-template.ts';
import type { CallContext } from '../../../main/check/mock-generator/analyzed-calls.ts';
import { parseExactJson } from '../../../main/check/mock-generator/analyzed-calls.ts';
import { formatMockFile } from '../../../main/check/mock-generator/generate-mock.ts';
import { standingClock } from '../support/run-check.ts';
import { startMock } from '../support/mock-servers.ts';
import { cheapArgon2 } from '../support/make-service.ts';
import { startOddServer } from '../support/odd-servers.ts';
import { measureAndLearn, startOriginal, type Haste } from '../../prove/mocks.ts';
import { sixSpellings } from '../../prove/secrets.ts';

// Others may use the machine, too.
vi.setConfig({ testTimeout: 120_000 });

/** Looks for secrets in every spelling that the matcher of the application knows. */
function foundIn(text: string, secrets: readonly string[]): string[] {
  const known = createKnownSecrets<string>();
  for (const secret of secrets) known.add(secret, secret);
  return known.find(text).map(({ of }) => of);
}

const asSent = (body: unknown) => parseExactJson(JSON.stringify(body)) ?? null;
const person = { email: 'llavero-0123456789abcdef@example.test', name: 'Llavero Contract Run', createdMs: 0 };

const signs = (pattern: RegExp) => fc.stringMatching(pattern);
const base64urlOf = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Tokens in the forms that servers give them. One of fewer than six signs is known as a whole value only. */
const secret = fc.oneof(
  signs(/^[A-Za-z0-9_-]{20,60}$/),
  fc.tuple(fc.integer({ min: 1, max: 99_999 }), signs(/^[A-Za-z0-9]{40}$/)).map((parts) => parts.join('|')),
  fc.uint8Array({ minLength: 12, maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  fc.uint8Array({ minLength: 12, maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('hex')),
  fc
    .tuple(fc.uuid(), fc.emailAddress(), fc.uint8Array({ minLength: 32, maxLength: 32 }))
    .map(([sub, email, bytes]) =>
      [
        base64urlOf({ alg: 'HS256', typ: 'JWT' }),
        base64urlOf({ sub, email }),
        Buffer.from(bytes).toString('base64url'),
      ].join('.'),
    ),
  signs(/^[\u00E1-\u00FF\u4E00-\u4EFF\u0621-\u064A0-9]{12,30}$/u),
  signs(/^[a-z0-9]{6,8}$/).filter((text) => /\d/.test(text)),
);

/** The spellings in which secrets are looked for. */
const spellings = Object.values(sixSpellings);

/** A password as people and the run make them, with the signs that spellings change. */
const password = fc.stringMatching(/^[A-Za-z0-9Ññ &<>"'%+/\\|_-]{20,60}$/);

/** An answer of any shape, in which a secret stands whole, or within a text, as often as it likes. */
const answerWith = (value: string) =>
  fc.letrec((tie) => ({
    leaf: fc.oneof(
      fc.constant(value),
      fc.constantFrom(`before ${value} after`, `${value}${value}`, `Bearer ${value}`, 'plain', ''),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    ),
    node: fc.oneof(
      { maxDepth: 4 },
      tie('leaf'),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(fc.string({ maxLength: 12 }), fc.constant(value)), tie('node'), { maxKeys: 4 }),
    ),
  })).node;

describe('a model', () => {
  it('holds no secret of the run, where a server answers passwords and their hashes', async () => {
    const only = CaseId.options.filter((id) => !id.startsWith('races.') && !id.startsWith('login.told-apart'));
    const haste: Haste = { argon2: cheapArgon2, clock: standingClock(), options: { only } };
    const original = await startOriginal('wrong:password-echoed+password-hash-in-profile', haste);
    const { model, secrets } = await measureAndLearn(original.baseUrl, haste).finally(() => void original.close());
    const text = formatMockFile(model);
    expect(secrets.length).toBeGreaterThan(30);
    expect(foundIn(text, secrets)).toEqual([]);
    expect(text).not.toMatch(/llavero-[0-9a-f]{16}@/);
    expect(text).not.toMatch(/\$argon2id\$[^"]*\$[\w+/]{20,}\$/);
  });

  it('holds no password, in whatever spelling a server repeats it', () => {
    fc.assert(
      fc.property(
        password,
        fc.constantFrom(...spellings),
        fc.constantFrom('', 'message', 'password', 'error', 'debug'),
        fc.constantFrom('', 'You sent ', 'password='),
        (value, spell, name, before) => {
          const secretRegistry = new SecretRegistry();
          secretRegistry.register(value, 'password');
          const known: CallContext = {
            person,
            sent: { email: person.email, password: value },
            isSuccess: false,
            atMs: 0,
            method: 'POST',
            path: '/api/v1/auth/login',
          };
          const body = { [name]: `${before}${spell(value)}`, list: [spell(value)] };
          const template = inferTemplate('', [asSent(body)], [known], { secretRegistry, addRemark: () => undefined });
          expect(foundIn(JSON.stringify(template), [value])).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('holds no secret, wherever a server puts one', () => {
    fc.assert(
      fc.property(
        secret.chain((value) =>
          fc.tuple(
            fc.constant(value),
            fc.constantFrom(...spellings).chain((spell) => answerWith(spell(value))),
            fc.boolean(),
          ),
        ),
        ([value, body, isItsOwn]) => {
          const secretRegistry = new SecretRegistry();
          secretRegistry.register(value, 'token');
          const known: CallContext = {
            person,
            token: isItsOwn ? value : undefined,
            isSuccess: isItsOwn,
            atMs: 0,
            method: 'POST',
            path: '/api/v1/auth/login',
          };
          const template = inferTemplate('', [asSent(body)], [known], { secretRegistry, addRemark: () => undefined });
          expect(foundIn(JSON.stringify(template), [value])).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('holds nobody of the run, in whatever spelling a server repeats names, addresses and ids', async () => {
    const original = await startOddServer('everything about a user in odd spellings');
    const { model, people } = await peopleOf(original.baseUrl).finally(() => void original.close());
    const text = formatMockFile(model);
    expect(people.length).toBeGreaterThan(4);
    expect(foundIn(text, people)).toEqual([]);
    const small = text.toLowerCase();
    for (const each of people) {
      for (const spell of spellings) expect(small).not.toContain(spell(each).toLowerCase());
      for (const digest of ['md5', 'sha256'])
        expect(small).not.toContain(createHash(digest).update(each).digest('hex'));
    }
  });

  it('takes names as its original does, with quotes, entities and letters from right to left', async () => {
    const original = await startOddServer('everything about a user in odd spellings');
    const names = [
      'Ana "Ani" O\'Neil',
      'A &amp; B <b>',
      '\u202Eשרה לוי\u202C',
      'زينب',
      'Ñandú 🦤',
      '%41%42',
      '{{name}}',
    ];
    const learnedOf = await measureAndLearn(original.baseUrl, haste());
    const { baseUrl } = await startMock(learnedOf.model);
    expect(learnedOf.model.notMeasured).toContainEqual({ kind: 'name-signs', calls: 3 });
    try {
      for (const [at, name] of names.entries()) {
        const body = JSON.stringify({ name, email: `who+${at}@example.test`, password: 'correct horse battery' });
        const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
        const said = async (server: string): Promise<unknown> => {
          const answer = await fetch(`${server}/api/v1/auth/registro`, init);
          const whole = (await answer.json()) as object;
          // No run shows how the signs of HTML are written in a name, which the model says.
          return [answer.status, { ...whole, uuid: '', self: '', html: '', trace: '' }];
        };
        expect(await said(baseUrl)).toEqual(await said(original.baseUrl));
      }
    } finally {
      await original.close();
    }
  });
});

const haste = (): Haste => ({
  argon2: cheapArgon2,
  clock: standingClock(),
  options: { only: CaseId.options.filter((id) => !id.startsWith('races.') && !id.startsWith('login.told-apart')) },
});

/** Measures a server, and returns its model with everybody's addresses and ids, as the server knows them. */
async function peopleOf(baseUrl: string) {
  const { model, report } = await measureAndLearn(baseUrl, haste());
  const sent = report.evidence.flatMap(({ response }) => JSON.stringify(response ?? '').match(uuids) ?? []);
  const emails = report.evidence.flatMap(({ request }) => JSON.stringify(request).match(addresses) ?? []);
  return { model, people: [...new Set([...sent, ...emails])] };
}
const uuids = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g;
const addresses = /llavero-[\da-f]{16}@example\.test/g;
