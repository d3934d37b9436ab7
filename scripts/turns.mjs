import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { stop } from './child-process.mjs';

const projectRoot = path.resolve(import.meta.dirname, '..');

/** Days until each of many has had its turn. */
const days = 10;

const { LLAVERO_TEST_DAY: givenDay, LLAVERO_TEST_IN_FULL: inFull } = process.env;
if (givenDay !== undefined && !/^\d{1,6}$/.test(givenDay))
  stop(2, `LLAVERO_TEST_DAY is a number of days since 1970, such as 20000, and not "${givenDay}".`);

/** Days since 1970-01-01 in UTC. `LLAVERO_TEST_DAY` is another number, to try the turns of another day. */
const today = Number(givenDay ?? Math.floor(Date.now() / 86_400_000));

/** Whether all that takes turns is run, as `npm run prove -- screens` does. */
export const isInFull = inFull === '1';

/**
 * Returns those whose turn it is, out of several that are alike and slow: a tenth of them on each day in UTC and always
 * one, or all of them with `LLAVERO_TEST_IN_FULL=1`.
 * @template T
 * @param {readonly T[]} cases
 * @returns {T[]}
 */
export function byTurns(cases, day = today) {
  const turns = Math.min(days, cases.length);
  // It goes on by 11 in ten days, since a file that runs every ten days would take the same cases each time otherwise.
  const turn = day + Math.floor(day / days);
  return cases.filter((_case, index) => isInFull || index % turns === turn % turns);
}

/**
 * Returns the test files that take turns. Those of one folder follow each other, and so are spread over the days.
 * @returns {Promise<string[]>} paths from the project's root, with `/`
 */
export const filesByTurns = async () => JSON.parse(await readFile(path.join(projectRoot, 'test/turns.json'), 'utf8'));

/** Returns the test files whose turn is on another day, without those that the last commit changed, or somebody since. */
export async function filesOfOtherDays() {
  const git = ['diff', '--name-only', '--relative', 'HEAD~1'];
  // Without git, or without a commit before the last one, nobody knows what was changed.
  const { stdout } = await promisify(execFile)('git', git, { cwd: projectRoot }).catch(() => ({ stdout: '' }));
  const files = await filesByTurns();
  const changed = new Set(stdout.split('\n'));
  return files.filter((file, index) => index % days !== today % days && !changed.has(file));
}
