import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { modelSchema } from '../../../main/service/mock/mock-definition.ts';
import { parseMockFile, loadMockFile } from '../../../main/service/mock/load-mock-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'llavero-model-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const model = (more: object): string => JSON.stringify({ schema: 'llavero-model', version: 1, ...more });
const nested = (levels: number): string => `${'{"list":['.repeat(levels)}{"constant":1}${']}'.repeat(levels)}`;
const withBody = (template: string): string =>
  model({}).replace(/\}$/, `,"answers":[{"body":{"template":${template}}}]}`);

const bad: [what: string, text: string, sentence: string | RegExp][] = [
  ['nothing', '', 'The mock file is not JSON.'],
  ['a page', '<html></html>', 'The mock file is not JSON.'],
  ['another document', '{"a":1}', 'This is not a mock file.'],
  ['null', 'null', 'This is not a mock file.'],
  ['a list', '[]', 'This is not a mock file.'],
  [
    'a report',
    '{"schema":"llavero-report"}',
    'This report contains no mock. Create a mock file with check --mock-file.',
  ],
  [
    'a report with half of a model',
    `{"schema":"llavero-report","model":${model({})}}`,
    /^The mock file does not match its schema, at /,
  ],
  ['another version', model({ version: 2 }), 'The mock file is not version 1, the only one that is supported.'],
  ['half of a model', model({}), /^The mock file does not match its schema, at /],
  ['more than there may be', model({ more: 'x'.repeat(6_000_000) }), 'The mock file is larger than 5 MB.'],
  ['too many values', `[${'{},'.repeat(1_500_000)}0]`, 'The mock file has more than 200000 values.'],
  ['nesting', withBody(nested(60)), 'The mock file is nested more than 64 levels deep.'],
  ['nesting without end', withBody(nested(200_000)), 'The mock file is nested more than 64 levels deep.'],
  [
    'a key of JavaScript',
    '{"schema":"llavero-model","version":1,"__proto__":{"a":1}}',
    'The mock file has a field named "__proto__", which is not allowed.',
  ],
];

describe('a file of a model', () => {
  it.each(bad)('is refused with one sentence: %s', (_what, text, sentence) => {
    const read = parseMockFile(text);
    expect(read.ok ? 'read' : read.sentence).toMatch(sentence);
    expect(Reflect.get({}, 'a')).toBeUndefined();
  });

  it('is not read when it has 50 MB, is a folder, or is not there', async () => {
    const large = path.join(folder, 'large.json');
    writeFileSync(large, Buffer.alloc(50 * 1024 * 1024, ' '));
    expect(await loadMockFile(large)).toMatchObject({ ok: false, sentence: 'The mock file is larger than 5 MB.' });
    expect(await loadMockFile(folder)).toMatchObject({ ok: false, sentence: 'The mock file is not a regular file.' });
    const missing = path.join(folder, 'missing.json');
    expect(await loadMockFile(missing)).toMatchObject({
      ok: false,
      sentence: 'The mock file cannot be read (ENOENT).',
    });
  });
});

describe('the schema of models', () => {
  it('has the names of version 1', () => {
    expect(modelSchema()).toMatchObject({
      $id: 'https://llavero.app/schemas/model-1.json',
      required: [
        'schema',
        'version',
        'toolVersion',
        'baseUrl',
        'measuredAt',
        'answers',
        'rules',
        'token',
        'notMeasured',
        'remarks',
      ],
      properties: { schema: { const: 'llavero-model' }, version: { const: 1 } },
    });
  });

  it('takes no half of a model', () => {
    expect(new Ajv2020({ strict: false, validateFormats: false }).validate(modelSchema(), JSON.parse(model({})))).toBe(
      false,
    );
  });
});
