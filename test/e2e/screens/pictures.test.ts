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

  const changes: [what: string, change: () => void][] = [
    ['one colour', () => document.documentElement.style.setProperty('--accent-fill', '#0a6a6a')],
    ['one heading', () => void (document.querySelector('main h1')!.textContent = 'Something else')],
    ['one distance', () => document.querySelector<HTMLElement>('main h1')!.style.setProperty('margin-top', '6px')],
  ];
  it.each(changes)('a change of %s is seen, and nothing else is', async (_what, change) => {
    const { scene, look } = pictured[0]!;
    const before = await picture(stub, scene, look);
    expect(await difference(stub, before, await picture(stub, scene, look))).toBeLessThanOrEqual(mostDifferent);
    await stub.page.evaluate(change);
    const after = await stub.page.screenshot({ animations: 'disabled' });
    expect(await difference(stub, before, after)).toBeGreaterThan(mostDifferent);
  });
});
