import { writeSync } from 'node:fs';
import { makeWritesDeadly } from './deadly-files.ts';
import { createSeededRandom } from './random.ts';

/**
 * Is the application without a window, on the files of a folder: it starts, and logs one person in at the server of the
 * proof. It prints each session that is shown in the moment in which the window is told, and whether it is said to be in
 * memory only. A write point may end it; else it waits for its end, or ends by itself.
 */
const [folder = '', email = '', dieAt = '0', powerCut = '', seed = '0', waits = ''] = process.argv.slice(2);
const passed = makeWritesDeadly({
  folder,
  dieAt: Number(dieAt),
  powerCut: powerCut === 'power-cut',
  random: createSeededRandom(Number(seed)),
});
// This comes after the above, so that it gets the changed functions.
const { openPlace } = await import('./crash-logins.ts');

const say = (text: string): void => void writeSync(1, `${text}\n`);

let before: string | undefined;
let isReady = false;
const { application } = await openPlace(folder, (state) => {
  if (state.locked || !isReady || state.session.step !== 'signed-in') return;
  const { sessionId } = state.session;
  const held = state.sessions.find(({ id }) => id === sessionId);
  const said = `${sessionId} ${held?.inMemory ? 'in-memory' : 'kept'}`;
  if (said !== before) say(`shown ${said}`);
  before = said;
});
await application.begin();
const { session, config, vault } = application.parts;
session.addAccount();
isReady = true;
say('ready');
const result = await session.logins.login({ email, password: 'a password' });
say(`answered ${result.ok}`);
if (waits === 'waits') setInterval(() => undefined, 60_000);
else {
  await config.flushWithBackup();
  await vault.settled();
  say(`points ${passed()}`);
  process.exit(0);
}
