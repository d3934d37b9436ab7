import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Config } from '../../../main/account/config/config.ts';
import { previewConfig } from '../../../main/account/config/preview-config.ts';
import { validateConfig } from '../../../main/account/config/validate-config.ts';
import { backupPathOf } from '../../../main/files/recoverable-file.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { pathsOf, wholeConfig, withPart } from '../../support/whole-config.ts';

function preview(folder: string, text: string, backup = text): Config | undefined {
  const file = path.join(folder, 'config.json');
  writeFileSync(file, text);
  writeFileSync(backupPathOf(file), backup);
  return previewConfig(folder);
}

describe('the preview of config.json', () => {
  it('is that of a new user where there is no file', async () => {
    expect(previewConfig(await makeTemporaryFolder())).toEqual(Config.parse({}));
  });

  it('is what the schema makes of a whole file, whatever that leaves to its defaults', async () => {
    const folder = await makeTemporaryFolder();
    let whole = 0;
    const isSameAsParsed = (content: unknown): void => {
      const text = JSON.stringify(content);
      const previewed = preview(folder, text);
      if (!previewed || validateConfig(text) !== 'whole') return;
      whole += 1;
      expect(previewed).toEqual(Config.parse(JSON.parse(text)));
    };
    const paths = pathsOf(wholeConfig);
    for (const each of paths) isSameAsParsed(withPart(wholeConfig, each, undefined));
    const some = fc.subarray(paths, { minLength: 2 });
    fc.assert(
      fc.property(some, (left) =>
        isSameAsParsed(left.reduce<unknown>((content, each) => withPart(content, each, undefined), wholeConfig)),
      ),
    );
    expect(whole).toBeGreaterThan(50);
  });

  it.each([
    ['differs from its backup', '{"zoom":2}', '{"zoom":1}'],
    ['is of another version', '{"version":2}', undefined],
    ['has a mock server as earlier builds wrote it', '{"servers":[{"id":"built-in"},{"double":{}}]}', undefined],
    ['has no list of servers', '{"servers":{}}', undefined],
    ['is a list', '[]', undefined],
  ])('is none where the file %s', async (_why, text, backup) => {
    expect(preview(await makeTemporaryFolder(), text, backup)).toBeUndefined();
  });
});
