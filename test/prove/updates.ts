import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { UpdateStatus } from '../../preload/contract/updates.ts';
import { makeCopyWithUpdates } from '../support/copy-with-updates.ts';
import { startApp } from '../support/start-app.ts';
import { feedTrials, fileTrials, newAppImage, type Trial } from '../support/update-trials.ts';
import { createRandom, type Random } from './random.ts';

/** One trial and what came of it: what main says, and the sentence on the screen. */
type Row = { of: string; came: string; says: string; wrong?: string };

const statusOf = (page: Page): Promise<UpdateStatus> =>
  page.evaluate(async () => {
    const state = await window.api.app.state();
    if (!state.ok || state.value.locked) throw new Error('there is no state');
    return state.value.updates;
  });

/** Has main do something, and answers how it stands once that is over. */
async function settled(page: Page, method: 'look' | 'download'): Promise<UpdateStatus> {
  const begun = await page.evaluate((name) => window.api.updates[name](), method);
  if (!begun.ok) throw new Error(`${method}: ${begun.error.kind}`);
  for (;;) {
    const status = await statusOf(page);
    if (status.state !== 'looking' && status.state !== 'downloading') return status;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const outcomeOf = (status: UpdateStatus): string => ('problem' in status && status.problem) || status.state;

/** Flips bits of a text, cuts it, or writes a piece of it twice. The result is another text. */
function damage(text: string, random: Random): Buffer {
  const bytes = Buffer.from(text);
  const at = random.whole(0, bytes.length - 1);
  switch (random.whole(0, 3)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at + 1), bytes.subarray(at)]);
    default:
      for (let flips = 0; flips <= random.whole(0, 4); flips++) {
        const place = random.whole(0, bytes.length);
        bytes[place] = bytes[place]! ^ (1 << random.whole(0, 8));
      }
      return bytes;
  }
}

/**
 * Shows the real application, run as if from an AppImage, one feed after the other on loopback, and one file after the
 * other behind a good feed; then feeds that chance has damaged. At the end it installs what was announced.
 * @param options.folder an empty folder
 * @param options.damaged how many feeds chance damages
 */
export async function proveUpdates(options: {
  folder: string;
  seed: number;
  damaged: number;
  onRow: (row: Row) => void;
}) {
  const { folder, seed, damaged, onRow } = options;
  const copy = await makeCopyWithUpdates(folder);
  const { server, elsewhere, appImage, log } = copy;
  const app = await startApp(copy);
  const wrong: string[] = [];
  const find = (what: string): void => void wrong.push(what);
  try {
    const page = await app.firstWindow();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await page.keyboard.press('ControlOrMeta+,');
    const region = page.locator('[data-section=updates]');
    await region.getByRole('button').first().waitFor();
    const isOld = async (): Promise<boolean> => (await readFile(appImage, 'utf8')) === 'old';
    const content = newAppImage(log);

    const tryOut = async ({ of, comes }: Trial, what: 'look' | 'download'): Promise<void> => {
      const came = outcomeOf(await settled(page, what));
      const said = region.getByRole(what === 'download' && came !== 'ready' ? 'alert' : 'status');
      const row = { of: `${what === 'look' ? 'feed' : 'file'}: ${of}`, came, says: await said.last().innerText() };
      if (came !== comes) find(`${row.of} came to ${came} instead of ${comes}`);
      if (!(await isOld())) find(`${row.of} changed the file of the application`);
      onRow(row);
    };

    const feeds = feedTrials(content, elsewhere.folder);
    const good = String(feeds.at(-1)?.answers.body);
    const random = createRandom(seed);
    for (const trial of feeds.slice(0, -1)) {
      server.has.feed = trial.answers;
      await tryOut(trial, 'look');
    }
    for (let number = 0; number < damaged; number++) {
      const body = damage(good, random);
      server.has.feed = { body };
      const came = outcomeOf(await settled(page, 'look'));
      // A bit in a space, or in the last character of the signature, changes nothing of what is said.
      const isSame = came === 'available' && saysTheSame(body, good);
      if (!/^(?:damaged|unsigned|other-signature)$/.test(came) && !isSame) find(`damaged feed ${number}: ${came}`);
      if (isSame) break;
    }
    server.has.feed = feeds.at(-1)!.answers;
    await tryOut(feeds.at(-1)!, 'look');
    const fetched = server.asked.filter((asked) => asked !== '/llavero-updates.json');
    if (fetched.length > 0) find(`before a person pressed Download, ${fetched.join()} was fetched`);

    for (const trial of fileTrials(content, elsewhere.folder)) {
      server.has.file = trial.answers;
      await tryOut(trial, 'download');
    }
    if (elsewhere.asked.length > 0) find('another host was asked');

    await app.evaluate(({ dialog }) => {
      dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false });
    });
    const ended = new Promise<void>((resolve) => app.once('close', () => resolve()));
    await page.evaluate(() => window.api.updates.install()).catch(() => undefined);
    await ended;
    if ((await readFile(appImage, 'utf8')) !== content) find('the new version is not in its place');
    if (!(await isStarted(log))) find('the new version was not started');
    return { name: 'updates', seed, feeds: feeds.length, damaged, wrong };
  } finally {
    await app.close().catch(() => undefined);
    await copy.close();
  }
}

/** Says whether two files have the same signed text, and a signature of the same bytes. */
function saysTheSame(one: Buffer, other: string): boolean {
  const parts = (text: string): string[] => {
    const { signed, signature } = JSON.parse(text) as { signed: string; signature: string };
    return [signed, Buffer.from(signature, 'base64').toString('hex')];
  };
  return JSON.stringify(parts(one.toString('utf8'))) === JSON.stringify(parts(other));
}

async function isStarted(log: string): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    if ((await readFile(log, 'utf8').catch(() => '')) !== '') return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}
