import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { CaseId } from '../../../preload/contract/report-cases.ts';
import { createKnownSecrets } from '../../../main/secrets/known-secrets.ts';
import { createSecretReferences } from '../../../main/secrets/secret-references.ts';
import { inferTemplate, type Known } from '../../../main/double/infer.ts';
import { writeModel } from '../../../main/double/learn.ts';
import { standingClock } from '../support/contract-run.ts';
import { cheapArgon2 } from '../support/make-service.ts';
import { measureAndLearn, startOriginal, type Haste } from '../../prove/doubles.ts';

// Others may use the machine, too.
vi.setConfig({ testTimeout: 120_000 });

/** Looks for secrets in every spelling that the matcher of the application knows. */
function foundIn(text: string, secrets: readonly string[]): string[] {
  const known = createKnownSecrets<string>();
  for (const secret of secrets) known.add(secret, secret);
  return known.find(text).found.map(({ of }) => of);
}

const person = { email: 'llavero-0123456789abcdef@example.test', name: 'Llavero Contract Run', createdMs: 0 };

const secret = fc.stringMatching(/^[A-Za-z0-9_-]{20,60}$/);

/** The spellings in which servers repeat what they got. */
const spellings: ((value: string) => string)[] = [
  (value) => value,
  (value) => encodeURIComponent(value),
  (value) => Buffer.from(value).toString('base64'),
  (value) => Buffer.from(value).toString('base64url'),
  (value) => Buffer.from(value).toString('hex'),
  (value) => JSON.stringify(value).slice(1, -1),
  (value) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
];

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
    const text = writeModel(model);
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
          const references = createSecretReferences();
          references.watch(value, 'password');
          const known: Known = {
            person,
            sent: { email: person.email, password: value },
            isSuccess: false,
            atMs: 0,
            method: 'POST',
            path: '/api/v1/auth/login',
          };
          const body = { [name]: `${before}${spell(value)}`, list: [spell(value)] };
          const template = inferTemplate('', [body], [known], { references, remark: () => undefined });
          expect(foundIn(JSON.stringify(template), [value])).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('holds no secret, wherever a server puts one', () => {
    fc.assert(
      fc.property(
        secret.chain((value) => fc.tuple(fc.constant(value), answerWith(value))),
        ([value, body]) => {
          const references = createSecretReferences();
          references.watch(value, 'token');
          const known: Known = {
            person,
            token: value,
            isSuccess: true,
            atMs: 0,
            method: 'POST',
            path: '/api/v1/auth/login',
          };
          const template = inferTemplate('', [body], [known], { references, remark: () => undefined });
          expect(foundIn(JSON.stringify(template), [value])).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });
});
