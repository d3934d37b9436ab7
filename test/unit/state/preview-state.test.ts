import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openConfig } from '../../../main/account/config/open-config.ts';
import { openPinFile } from '../../../main/account/lock/pin.ts';
import { createFileNotices } from '../../../main/files/file-notices.ts';
import { backupPathOf } from '../../../main/files/recoverable-file.ts';
import { createInitialState } from '../../../main/initial-state.ts';
import { previewState } from '../../../main/preview-state.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { pathsOf, wholeConfig, withPart } from '../../support/whole-config.ts';

const about = { version: '0.0.0', electron: { version: '', thirdParty: false } };
const ports = { about, systemLanguage: 'en', demoEmail: 'demo@example.test' };

const wholeLock = {
  version: 1,
  salt: 'c2FsdA==',
  memoryKiB: 65_536,
  passes: 3,
  sealedKey: 'a2V5',
  triesUsed: 2,
};

const wrongParts = [null, true, -1.5, 'wrong', ['wrong'], {}];

/** Writes both files of a profile, and the backup of each, so that neither can be told from one that was validated. */
function write(folder: string, { config, lock }: { config: unknown; lock?: unknown }): void {
  for (const [name, content] of Object.entries({ 'config.json': config, 'lock.json': lock })) {
    if (content === undefined) continue;
    const file = path.join(folder, name);
    for (const each of [file, backupPathOf(file)]) writeFileSync(each, JSON.stringify(content));
  }
}

const contentOf = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => [name, readFileSync(path.join(folder, name), 'utf8')]);

/** The first state, after both files were validated. */
async function validated(folder: string) {
  const notices = createFileNotices();
  const config = await openConfig(folder, notices, () => undefined);
  const pin = await openPinFile(path.join(folder, 'lock.json'));
  return createInitialState({ ...ports, config, pin, notices, notify: () => undefined }).state.shown();
}

describe('the state before both files were validated', () => {
  it.each([
    ['of a new user', {}, undefined],
    ['with a session', wholeConfig, undefined],
    ['that is locked', wholeConfig, wholeLock],
  ])('is the one after it for a profile %s', async (_which, config, lock) => {
    const folder = await makeTemporaryFolder();
    write(folder, { config, lock });
    const preview = previewState(folder, ports);
    expect(preview).toMatchObject({ locked: lock !== undefined });
    expect(preview).toStrictEqual(await validated(folder));
  });

  it('writes nothing and is never unlocked, whichever part of either file has a wrong type', async () => {
    const folder = await makeTemporaryFolder();
    let shown = 0;
    for (const part of wrongParts) {
      const profiles = [
        ...pathsOf(wholeConfig).map((each) => ({ config: withPart(wholeConfig, each, part), lock: wholeLock })),
        ...pathsOf(wholeLock).map((each) => ({ config: wholeConfig, lock: withPart(wholeLock, each, part) })),
        { config: part, lock: wholeLock },
        { config: wholeConfig, lock: part },
      ];
      for (const profile of profiles) {
        write(folder, profile);
        const before = contentOf(folder);
        const preview = previewState(folder, ports);
        expect(preview?.locked ?? true).toBe(true);
        expect(contentOf(folder)).toEqual(before);
        if (preview) shown += 1;
      }
    }
    expect(shown).toBeGreaterThan(0);
  });

  it('is none where the lock differs from its backup', async () => {
    const folder = await makeTemporaryFolder();
    write(folder, { config: {}, lock: wholeLock });
    writeFileSync(path.join(folder, 'lock.json'), JSON.stringify({ ...wholeLock, triesUsed: 0 }));
    expect(previewState(folder, ports)).toBeUndefined();
  });
});
