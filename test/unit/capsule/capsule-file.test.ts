import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capsuleSchema, type Capsule } from '../../../main/capsule/capsule.ts';
import { writeCapsule } from '../../../main/capsule/capsule-page.ts';
import { readCapsule, readCapsuleFile } from '../../../main/capsule/read-capsule.ts';
import { capsuleWith } from '../../support/capsule.ts';
import { hostileTexts } from '../../support/report.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

/** A page as somebody else would write it, with anything where the JSON is. */
const pageOf = (json: string): string => writeCapsule(capsuleWith('x'), 'en').replace(/\{"schema":.*/, () => json);
const changed = (change: (capsule: Capsule) => void): string => {
  const capsule = capsuleWith('x');
  change(capsule);
  return writeCapsule(capsule, 'en');
};
const page = writeCapsule(capsuleWith('x'), 'en');
const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
const firstCall = (capsule: Capsule) => capsule.report.evidence[0]!.request;

const bad: [what: string, text: string, problem: string, detail?: string | RegExp][] = [
  ['nothing', '', 'not-a-capsule'],
  ['another page', '<!doctype html><title>Hello</title>', 'not-a-capsule'],
  ['a report', '{"schema":"llavero-report"}', 'not-a-capsule'],
  ['a capsule that holds something else', pageOf('{"schema":"llavero-model"}'), 'not-a-capsule'],
  ['a capsule that holds nothing', pageOf('null'), 'not-a-capsule'],
  ['another version', page.replace('"version":1,"toolVersion"', '"version":2,"toolVersion"'), 'other-version'],
  ['50 MB', `${page}${' '.repeat(50 * 1024 * 1024)}`, 'too-large'],
  ['one that ends before its data', page.slice(0, page.indexOf('<!--')), 'cut-off'],
  ['one that ends within its data', page.slice(0, -1000), 'cut-off'],
  ['one that is no JSON', pageOf('{'), 'wrong-content'],
  ['one with two parts', `${page}${page}`, 'wrong-content', 'two parts for Llavero'],
  [
    'nesting without end',
    page.replace('"answers":[]', `"answers":${nested}`),
    'wrong-content',
    'The capsule is nested more than 64 levels deep.',
  ],
  ['a name of JavaScript', page.replace('"remarks":', '"__proto__":{"a":1},"remarks":'), 'wrong-content', /__proto__/],
  ['another field', page.replace('"remarks":', '"path":"/etc/passwd","remarks":'), 'wrong-content', 'model'],
  ['a path in the place of a case', page.replace('"caseId":"', '"caseId":"../../'), 'wrong-content', 'caseId'],
  [
    'a page that runs something in an answer of the double',
    changed(({ model }) => void model.remarks.push('<script>alert(1)</script>')),
    'wrong-content',
    'The model has a text with HTML that a browser would run or load.',
  ],
  ['another case', changed((capsule) => void (capsule.caseId = 'logout.twice')), 'wrong-content', 'report.cases'],
  ['no case', changed(({ report }) => void report.cases.pop()), 'wrong-content', 'report.cases'],
  [
    'a finding that is not there',
    changed((capsule) => void capsule.report.findings.pop()),
    'wrong-content',
    'findingId',
  ],
  [
    'a model of another run',
    changed(({ model }) => void (model.measuredAt = '2026-05-05T00:00:00.000Z')),
    'other-model',
  ],
  ['a model of another server', changed(({ model }) => void (model.baseUrl = 'https://evil.example')), 'other-host'],
  [
    'a call of another server',
    changed((capsule) => void (firstCall(capsule).url = ['https://evil.example/api'])),
    'other-host',
    'report.evidence.0',
  ],
  ['a call of no address', changed((capsule) => void (firstCall(capsule).url = ['file:///etc/passwd'])), 'other-host'],
  [
    'an address that is none',
    changed(({ report, model }) => void (report.baseUrl = model.baseUrl = 'file:///etc/passwd')),
    'wrong-content',
    'report.baseUrl',
  ],
];

describe('a capsule', () => {
  it('is read as it was written, and follows its schema', () => {
    const capsule = capsuleWith('x');
    expect(readCapsule(writeCapsule(capsule, 'en'))).toEqual({ ok: true, capsule });
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(capsuleSchema());
    expect(validate(JSON.parse(JSON.stringify(capsule)))).toBe(true);
  });

  it('has a schema in the repository that is that of the types; run this test with -u to renew it', async () => {
    const schema = `${JSON.stringify(capsuleSchema(), undefined, 2)}\n`;
    await expect(schema).toMatchFileSnapshot('../../../main/capsule/capsule.schema.json');
  });

  it.each(bad)('is refused: %s', (_what, text, problem, detail) => {
    const read = readCapsule(text);
    expect(read).toMatchObject({ ok: false, problem });
    expect(read.ok ? '' : (read.detail ?? '')).toMatch(detail ?? '');
    expect(Reflect.get({}, 'a')).toBeUndefined();
  });

  it('is not read when its file has 50 MB, is a folder, a device or not there', async () => {
    const folder = await makeTemporaryFolder();
    const large = path.join(folder, 'large.html');
    await writeFile(large, Buffer.alloc(50 * 1024 * 1024, page));
    expect(await readCapsuleFile(large)).toMatchObject({ ok: false, problem: 'too-large' });
    expect(await readCapsuleFile(folder)).toMatchObject({ ok: false, problem: 'unreadable' });
    expect(await readCapsuleFile('/dev/zero')).toMatchObject({ ok: false, problem: 'unreadable' });
    expect(await readCapsuleFile(path.join(folder, 'none'))).toMatchObject({ problem: 'unreadable', detail: 'ENOENT' });
  });
});

/** All markup of a page: its elements, and its comments without what is in them. */
const markupOf = (html: string): string[] =>
  html.replaceAll(/<!--llavero-capsule\n[^<>&]*\n-->/g, '<!---->').match(/<[^>]*>/g) ?? [];

describe('the page of a capsule', () => {
  it.each(['en', 'es'])('says what the contract says, what was seen and how to see it again (%s)', (language) => {
    const html = writeCapsule(capsuleWith('x'), language);
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toMatch(
      /content="default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'"/,
    );
    expect(html).toContain('llavero check --open FILE --run');
    expect(html).toContain('--only registration.served');
    expect(html).toContain('curl');
  });

  it.each(hostileTexts)('has no markup of a server, and holds its text as it was: %j', (hostile) => {
    const capsule = capsuleWith(hostile);
    const html = writeCapsule(capsule, 'en');
    const calm = writeCapsule(capsuleWith(hostile.trim() === '' ? '' : 'x'), 'en');
    expect(markupOf(html)).toEqual(markupOf(calm));
    expect(readCapsule(html)).toEqual({ ok: true, capsule: JSON.parse(JSON.stringify(capsule)) });
  });

  it('has no markup of a server, whatever that says', () => {
    const calm = markupOf(writeCapsule(capsuleWith('x'), 'en'));
    const sign = fc.constantFrom(
      ...Array.from('<>!-&"\'`\\/= \n'),
      '-->',
      '<!--',
      '--!>',
      '<!--llavero-capsule\n',
      'script',
      'x',
    );
    fc.assert(
      fc.property(
        fc.array(sign, { minLength: 1, maxLength: 12 }).map((signs) => `a${signs.join('')}`),
        (text) => {
          const capsule = capsuleWith(text);
          const html = writeCapsule(capsule, 'en');
          expect(markupOf(html)).toEqual(calm);
          expect(readCapsule(html)).toMatchObject({ ok: true });
        },
      ),
      { numRuns: 60 },
    );
  });
});
