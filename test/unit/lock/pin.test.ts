import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileNotice } from '../../../preload/contract/models.ts';
import { openPinFile } from '../../../main/account/lock/pin.ts';
import { mostTries } from '../../../main/account/lock/preview-pin.ts';
import { filesContaining, makeTemporaryFolder } from '../../support/temporary-folder.ts';

const cheap = { memoryKiB: 64, passes: 1 };

async function makePin() {
  const folder = await makeTemporaryFolder();
  const file = path.join(folder, 'lock.json');
  const notices: FileNotice[] = [];
  return { folder, file, notices, open: () => openPinFile(file, cheap, (notice) => notices.push(notice)) };
}

describe('a PIN', () => {
  it('gives the same key each time, also after a restart and a change, and no file holds PIN or key', async () => {
    const { folder, open } = await makePin();
    const pin = await open();
    const key = await pin.create('pïn 1234');
    const later = await open();
    expect(await later.verify('pi\u0308n 1234')).toEqual({ ok: true, key });
    await later.change('another', key);
    expect(await (await open()).verify('another')).toEqual({ ok: true, key });
    expect(await (await open()).verify('pïn 1234')).toEqual({ ok: false, triesLeft: 4 });
    expect(await filesContaining(folder, 'another')).toEqual([]);
    expect(await filesContaining(folder, key.toString('base64'))).toEqual([]);
  });

  it('has five tries, counted before it is looked at: ending the application gives no new ones', async () => {
    const { open, file } = await makePin();
    // This try takes long. It is counted meanwhile already, and would be if the application ended now.
    const first = await openPinFile(file, { memoryKiB: 65_536, passes: 20 });
    const key = await first.create('1234');
    let looked = false;
    const guessing = first.verify('0000').then(() => (looked = true));
    await expect.poll(async () => JSON.parse(await readFile(file, 'utf8')).triesUsed).toBe(1);
    expect(looked).toBe(false);
    await guessing;
    // From here on a try is cheap.
    await (await open()).change('1234', key);
    expect(await (await open()).verify('0000')).toEqual({ ok: false, triesLeft: 4 });
    for (const left of [3, 2, 1]) expect(await (await open()).verify('0000')).toEqual({ ok: false, triesLeft: left });
    expect(await (await open()).verify('1234')).toEqual({ ok: true, key });
    expect((await open()).triesLeft()).toBe(mostTries);
    for (let left = 4; left >= 0; left -= 1)
      expect(await (await open()).verify('0000')).toEqual({ ok: false, triesLeft: left });
    expect(await (await open()).verify('1234')).toEqual({ ok: false, triesLeft: 0 });
  });

  it('guessed many times at once has five tries all the same', async () => {
    const { open } = await makePin();
    const pin = await open();
    await pin.create('1234');
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => pin.verify(`000${index}`)));
    const left = Array.from(answers, (_, index) => Math.max(0, 4 - index));
    expect(answers).toEqual(left.map((triesLeft) => ({ ok: false, triesLeft })));
    expect(await pin.verify('1234')).toEqual({ ok: false, triesLeft: 0 });
  });

  it('is not looked at while its count cannot be written', async () => {
    const { open, file } = await makePin();
    const pin = await open();
    await pin.create('1234');
    await rm(file);
    await mkdir(file);
    expect(await pin.verify('1234')).toMatchObject({ ok: false, code: 'EISDIR' });
  });

  it('whose file is broken is no PIN without a good copy; the file is set aside, and told', async () => {
    const { open, file, folder, notices } = await makePin();
    await writeFile(file, '{"version":1,');
    expect((await open()).isSet()).toBe(false);
    const [kept] = await readdir(folder);
    expect(kept).toMatch(/^lock\.json\.broken-/);
    expect(notices).toEqual([{ file: 'lock.json', problem: 'set-aside', quarantinedAs: kept }]);
  });

  it.each([
    ['is broken', (file: string) => writeFile(file, '{"version":1,')],
    ['is gone', (file: string) => rm(file)],
  ])('whose file %s comes back from the copy, which gives no tries back', async (_what, damage) => {
    const { open, file, notices } = await makePin();
    const pin = await open();
    const key = await pin.create('1234');
    for (const left of [4, 3, 2]) expect(await pin.verify('0000')).toEqual({ ok: false, triesLeft: left });
    await damage(file);
    const later = await open();
    expect(notices).toEqual([expect.objectContaining({ file: 'lock.json', problem: 'restored' })]);
    expect(later.triesLeft()).toBe(2);
    expect(await later.verify('1234')).toEqual({ ok: true, key });
    await damage(file);
    expect((await open()).triesLeft()).toBe(mostTries);
  });

  it('that was removed does not come back from a copy', async () => {
    const { open, folder } = await makePin();
    const pin = await open();
    await pin.create('1234');
    await pin.remove();
    expect(await readdir(folder)).toEqual([]);
  });

  it('that is changed takes along what was set aside, which may hold the key under the one before', async () => {
    const { open, folder, file } = await makePin();
    const pin = await open();
    const key = await pin.create('1234');
    for (const name of [`${file}.broken-1`, `${file}.last-good.broken-1`])
      await writeFile(name, (await readFile(file, 'utf8')).slice(0, -1));
    await pin.change('5678', key);
    expect((await readdir(folder)).toSorted()).toEqual(['lock.json', 'lock.json.last-good']);
  });

  it.each([
    ['other-version', (file: string) => writeFile(file, '{"version":2,"anything":1}')],
    ['unreadable', (file: string) => mkdir(file)],
  ] as const)('whose file is %s is one that nothing opens; the file stays, and it is told', async (problem, put) => {
    const { open, file, folder, notices } = await makePin();
    await put(file);
    const pin = await open();
    expect(notices).toEqual([{ file: 'lock.json', problem }]);
    expect(pin.isSet()).toBe(true);
    expect(await pin.verify('1234')).toEqual({ ok: false, code: problem });
    await expect(pin.create('1234')).rejects.toMatchObject({ code: problem });
    expect(await readdir(folder)).toEqual(['lock.json']);
  });
});
