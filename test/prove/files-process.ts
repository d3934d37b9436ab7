import { writeSync } from 'node:fs';
import path from 'node:path';
import { createFakeCipher } from '../support/fake-cipher.ts';
import { makeWritesDeadly } from './deadly-files.ts';
import { createSeededRandom } from './random.ts';

/**
 * Opens the settings and the vault of a folder as the application does, and changes both again and again, until a
 * write point ends it. It prints what it began and what was done, and at its end how many points there were.
 */
const [folder = '', dieAt = '0', powerCut = '', seed = '0'] = process.argv.slice(2);
const passed = makeWritesDeadly({
  folder,
  dieAt: Number(dieAt),
  powerCut: powerCut === 'power-cut',
  random: createSeededRandom(Number(seed)),
});
// This comes after the above, so that it gets the changed functions.
const { openConfig } = await import('../../main/account/config/open-config.ts');
const { createFileNotices } = await import('../../main/files/file-notices.ts');
const { Vault } = await import('../../main/account/vault/vault.ts');

const say = (text: string): void => void writeSync(1, `${text}\n`);

const config = await openConfig(folder, createFileNotices(), () => undefined);
const vault = new Vault({
  file: path.join(folder, 'vault.json'),
  cipher: createFakeCipher(),
});
await vault.open();
for (let number = 1; number <= 3; number++) {
  say(`config begun ${number}`);
  config.change({ lastEmails: { changed: String(number) } });
  await config.flushWithBackup();
  say(`config done ${number}`);
  say(`vault begun ${number}`);
  await vault.setPassword('changed', 'ana', String(number));
  say(`vault done ${number}`);
}
await vault.settled();
say(`points ${passed()}`);
