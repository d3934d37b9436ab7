import { generateKeyPairSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSource } from '../../../main/updates/source.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { makersKey } from '../../support/update-feeds.ts';

const folder = 'https://updates.example/llavero/';

/** Writes these files, and reads where updates come from. `undefined` writes none. */
async function sourceOf(builtIn: unknown, ...administrators: unknown[]) {
  const at = await makeTemporaryFolder();
  const write = async (name: string, content: unknown): Promise<string> => {
    const file = path.join(at, name);
    if (content !== undefined) await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  const files = await Promise.all(administrators.map((content, index) => write(`${index}.json`, content)));
  return { at, source: await readSource({ builtIn: await write('own.json', builtIn), administrators: files }) };
}

describe('where updates come from', () => {
  const own = { updates: folder, key: makersKey };

  it('is nowhere unless it is configured', async () => {
    const off = { state: 'off', why: 'not-configured' };
    expect((await sourceOf(undefined)).source).toEqual(off);
    expect((await sourceOf({ key: makersKey })).source).toEqual(off);
    expect(await readSource({ builtIn: undefined, administrators: [] })).toEqual(off);
    // Without a key, an administrator cannot bring one.
    expect((await sourceOf(undefined, { updates: folder })).source).toEqual(off);
  });

  it('is what the program has, unless an administrator names another folder', async () => {
    expect((await sourceOf(own)).source).toEqual({ state: 'feed', folder, key: makersKey });
    const mirror = 'https://mirror.example/llavero';
    expect((await sourceOf(own, undefined, { updates: mirror })).source).toMatchObject({ folder: `${mirror}/` });
    expect((await sourceOf({ key: makersKey }, { updates: mirror })).source).toMatchObject({ folder: `${mirror}/` });
  });

  it('is switched off by an administrator, of whom the last counts', async () => {
    const managed = { state: 'off', why: 'managed' };
    expect((await sourceOf(own, { updates: 'off' })).source).toEqual(managed);
    expect((await sourceOf(own, { updates: folder }, { updates: 'off' })).source).toEqual(managed);
    expect((await sourceOf(own, { updates: 'off' }, { updates: folder })).source).toMatchObject({ state: 'feed' });
  });

  it.each([
    ['no JSON', '{'],
    ['another name', { update: 'off' }],
    ['a key', { updates: folder, key: makersKey }],
    ['an address without encryption', { updates: 'http://updates.example/' }],
    ['an address with a password', { updates: 'https://ana:secret@updates.example/' }],
    ['an address with a query', { updates: 'https://updates.example/?a=b' }],
    ['a file', { updates: 'file:///tmp/' }],
    ['a number', { updates: 1 }],
  ])('is nowhere when an administrator wrote %s', async (_what, content) => {
    const { at, source } = await sourceOf(own, content);
    expect(source).toEqual({ state: 'off', why: 'unusable', file: path.join(at, '0.json') });
  });

  it('is nowhere when a file cannot be read, or the key is none for these signatures', async () => {
    const at = await makeTemporaryFolder();
    await mkdir(path.join(at, 'folder.json'));
    const read = readSource({ builtIn: undefined, administrators: [path.join(at, 'folder.json')] });
    expect(await read).toMatchObject({ why: 'unusable' });
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = publicKey.export({ type: 'spki', format: 'pem' });
    expect((await sourceOf({ updates: folder, key })).source).toMatchObject({ why: 'unusable' });
  });

  it('may be this computer without encryption', async () => {
    for (const host of ['127.0.0.1:8080', '[::1]:8080', 'localhost'])
      expect((await sourceOf({ ...own, updates: `http://${host}/` })).source).toMatchObject({ state: 'feed' });
  });
});
