import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Capsule, CapsuleSubject } from '../../../main/capsule/capsule.ts';
import { writeCapsule } from '../../../main/capsule/capsule-page.ts';
import { makeCapsule } from '../../../main/capsule/make-capsule.ts';
import { readCapsule } from '../../../main/capsule/read-capsule.ts';
import { runCapsule } from '../../../main/capsule/run-capsule.ts';
import { createKnownSecrets } from '../../../main/secrets/known-secrets.ts';
import { createSecretReferences } from '../../../main/secrets/secret-references.ts';
import { reportWords } from '../../../preload/contract/words/say-report.ts';
import { CaseId } from '../../../preload/contract/report-cases.ts';
import { measureAndLearn, sayDifference, startOriginal, type Haste } from '../../prove/doubles.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { check, quickly } from '../support/check.ts';
import { standingClock } from '../support/contract-run.ts';
import { cheapArgon2 } from '../support/make-service.ts';

vi.setConfig({ testTimeout: 60_000 });

const only = CaseId.options.filter((id) => !id.startsWith('races.') && !id.startsWith('login.told-apart'));
const haste: Haste = { argon2: cheapArgon2, clock: standingClock(), options: { only } };
const finding: CapsuleSubject = { caseId: 'logout.same-token-afterwards', findingId: 'token-outlives-logout' };

/** A server whose tokens outlive their logout and which answers passwords, measured once. It has ended since. */
const measured = (async () => {
  const original = await startOriginal('wrong:token-outlives-logout+password-echoed+password-hash-in-profile', haste);
  try {
    return await measureAndLearn(original.baseUrl, haste);
  } finally {
    await original.close();
  }
})();

async function capsuleOf(subject: CapsuleSubject): Promise<Capsule> {
  const { report, model } = await measured;
  const made = makeCapsule(report, subject, model, createSecretReferences());
  if (!made.ok) throw new Error(made.problem);
  // A colleague has the file and nothing else.
  const read = readCapsule(writeCapsule(made.capsule, 'en'));
  if (!read.ok) throw new Error(`${read.problem} ${read.detail}`);
  return read.capsule;
}

async function ranAt(capsule: Capsule) {
  const ran = await runCapsule(capsule, { clock: standingClock() });
  if (!ran.ok) throw new Error(ran.message);
  const { isSame, comparison } = ran.run;
  return { isSame, differences: comparison.differences.map(sayDifference) };
}

describe('a capsule', () => {
  it.each<[string, CapsuleSubject]>([
    ['a finding', finding],
    ['a rule that was kept', { caseId: 'login.wrong-password' }],
    ['an open point', { caseId: 'registration.missing-field' }],
    ['what looks back at every call', { caseId: 'errors.secrets-sent' }],
  ])('shows the same at the double, without its server: %s', async (_what, subject) => {
    expect(await ranAt(await capsuleOf(subject))).toEqual({ isSame: true, differences: [] });
  });

  it('says exactly what the double does otherwise', async () => {
    const capsule = await capsuleOf(finding);
    capsule.model.rules.logoutEnds.value = 'its-token';
    expect(await ranAt(capsule)).toEqual({
      isSame: false,
      differences: [
        'logout.same-token-afterwards profile-after-logout perfil',
        'logout.same-token-afterwards token-outlives-logout gone',
      ],
    });
  });

  it('is refused of what no double shows, and of what was not measured', async () => {
    const { report, model } = await measured;
    const problemOf = (subject: CapsuleSubject | undefined): string => {
      const made = makeCapsule(report, subject, model, createSecretReferences());
      return made.ok ? 'made' : made.problem;
    };
    expect(problemOf({ caseId: 'transport.encryption' })).toBe('not-imitated');
    expect(problemOf({ caseId: 'races.logins' })).toBe('not-measured');
    expect(problemOf({ caseId: 'logout.twice', findingId: 'plain-http' })).toBe('not-measured');
    expect(problemOf(undefined)).toBe('not-measured');
  });
});

describe('the secrets of a run', () => {
  const foundIn = (text: string, secrets: readonly string[]): string[] => {
    const known = createKnownSecrets<string>();
    for (const secret of secrets) known.add(secret, secret);
    return known.find(text).found.map(({ of }) => of);
  };

  it('are in no capsule, of whatever case', async () => {
    const { report, model, secrets } = await measured;
    expect(secrets.length).toBeGreaterThan(30);
    let made = 0;
    for (const { id: caseId } of report.cases) {
      const capsule = makeCapsule(report, { caseId }, model, createSecretReferences());
      if (!capsule.ok) continue;
      made += 1;
      expect(foundIn(writeCapsule(capsule.capsule, 'en'), secrets)).toEqual([]);
    }
    expect(made).toBeGreaterThan(40);
  });

  it('keep a capsule from being made, wherever one is left', async () => {
    const { report, model } = await measured;
    const secret = fc.stringMatching(/^[A-Za-z0-9|_.-]{11,60}$/);
    const sentence = fc.constantFrom('', 'Bearer ', '{"token":"', 'a "quoted" <b>');
    fc.assert(
      fc.property(secret, sentence, sentence, fc.nat(), (value, before, after, at) => {
        const references = createSecretReferences();
        references.watch(value, 'token');
        const copy = structuredClone(report);
        const its = copy.cases.find(({ id }) => id === finding.caseId)!.calls;
        const call = copy.evidence.find(({ id }) => id === its[at % its.length])!;
        call.request.head.text.push(`${before}${value}${after}`);
        expect(makeCapsule(copy, finding, model, references)).toEqual({ ok: false, problem: 'secret' });
      }),
      { numRuns: 30 },
    );
  });
});

describe('check --capsule and check --open', () => {
  it('write a capsule, open it without running anything, and run it', async () => {
    const { baseUrl, close } = await startOriginal('wrong:token-outlives-logout', haste);
    const folder = await makeTemporaryFolder();
    const file = path.join(folder, 'capsule.html');
    const cases = ['--only', 'logout.same-token-afterwards'];
    const written = await check([baseUrl, ...quickly, ...cases, '--capsule', `token-outlives-logout=${file}`]);
    await close();
    expect(written).toMatchObject({ code: 0, err: expect.stringContaining(`Written: ${file}`) });

    const opened = await check(['--open', file]);
    expect(opened).toMatchObject({ code: 0, err: expect.stringMatching(/^Nothing was run\./) });
    expect(opened.out).toContain(`# Capsule: ${reportWords('en').finding({ id: 'token-outlives-logout' }).title}`);
    expect(opened.out).toContain(`llavero check '${baseUrl}' --only logout.same-token-afterwards`);

    expect(await check(['--open', file, '--run'])).toMatchObject({ code: 0, err: 'The double shows the same.\n' });
    const other = path.join(folder, 'other.html');
    await writeFile(other, (await readFile(file, 'utf8')).replace('"value":"nothing"', '"value":"its-token"'));
    const ran = await check(['--open', other, '--run', '--lang', 'es']);
    expect(ran).toMatchObject({ code: 1, err: 'El doble no muestra lo mismo.\n' });
    expect(ran.out).toContain('# Comparación de dos informes del contrato');
  });

  it('refuse wrong usage and wrong files with one sentence', async () => {
    const folder = await makeTemporaryFolder();
    const file = path.join(folder, 'page.html');
    await writeFile(file, '<!doctype html>');
    const sentenceOf = async (...args: string[]) => {
      const { code, out, err } = await check(args);
      return [code, `${out}${err}`];
    };
    expect(await sentenceOf('--open', file, '--run')).toEqual([2, 'The file is no capsule of Llavero.\n']);
    expect(await sentenceOf('--open', path.join(folder, 'none'))).toEqual([
      2,
      'The file could not be read. (ENOENT)\n',
    ]);
    expect(await sentenceOf('--open', '')).toEqual([2, 'The option --open takes the file of a capsule.\n']);
    expect(await sentenceOf('--run', 'localhost:1')).toEqual([
      2,
      'The option --run goes with --open FILE, which opens a capsule.\n',
    ]);
    const [code, sentence] = await sentenceOf('--open', file, '--rate', '4');
    expect([code, sentence]).toEqual([2, expect.stringMatching(/Only --run and --lang go with --open\.\n$/)]);
    for (const [args, said] of [
      [['--capsule', 'nothing=file.html'], /^The option --capsule takes a case or a finding, and a file/],
      [['--capsule', 'logout.twice='], /^The option --capsule takes a case or a finding, and a file/],
      [['--capsule', 'logout.twice=a', '--capsule', 'token.form=a'], /^Two capsules cannot be written to "a"\.\n$/],
      [['--capsule', `logout.twice=${folder}/no/a.html`], /its folder does not exist\.\n$/],
    ] as const) {
      expect(await sentenceOf('localhost:1', ...args)).toEqual([2, expect.stringMatching(said)]);
    }
  });
});
