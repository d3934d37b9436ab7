import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  difference,
  mostDifferent,
  picture,
  pictured,
  pictureFolder,
  runtime,
} from '../../support/stub-main/pictures.ts';
import { openStillApp } from '../../support/stub-main/still-app.ts';
import type { StubApp } from '../../support/stub-main/stub-app.ts';

let stub: StubApp;
beforeAll(async () => {
  stub = await openStillApp();
});
afterAll(() => stub.app.close());

const madeWith = path.join(pictureFolder, 'made-with.json');
const there = pictured.filter(({ file }) => existsSync(path.join(pictureFolder, file)));
const sameRuntime = async () =>
  existsSync(madeWith) && (await readFile(madeWith, 'utf8')) === JSON.stringify(runtime());

describe('the screens look as in their pictures, which `npm run shots -- --renew` takes anew', () => {
  it.each(there)('$file', async ({ file, scene, look }) => {
    const before = await readFile(path.join(pictureFolder, file));
    const now = await picture(stub, scene, look);
    // Another Chromium, or another system, draws letters in another way.
    if (!(await sameRuntime())) return;
    const share = await difference(stub, before, now);
    if (share > mostDifferent) await writeFile(path.join(process.env['TMPDIR'] ?? '/tmp', `now-${file}`), now);
    expect(share).toBeLessThanOrEqual(mostDifferent);
  });

  it('a change of one colour, of one word or of one distance is seen', async () => {
    const { scene, look } = pictured[0]!;
    const before = await picture(stub, scene, look);
    expect(await difference(stub, before, await picture(stub, scene, look))).toBeLessThanOrEqual(mostDifferent);

    const changes = {
      colour: () => document.documentElement.style.setProperty('--accent-fill', '#0a6a6a'),
      word: () => void (document.querySelector('h1')!.textContent = 'Another heading'),
      distance: () => document.querySelector<HTMLElement>('main form')?.style.setProperty('margin-top', '6px'),
    };
    for (const change of Object.values(changes)) {
      await picture(stub, scene, look);
      await stub.page.evaluate(change);
      const after = await stub.page.screenshot({ animations: 'disabled' });
      expect(await difference(stub, before, after)).toBeGreaterThan(mostDifferent);
    }
  });
});
