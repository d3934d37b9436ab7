import { describe, expect, it } from 'vitest';
import { archives, holdOf } from '../../prove/archive-holds.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

/** Milliseconds of work. Each of these archives took a multiple of it on the thread that the window waits for. */
const generousMs = 100;

describe('an HTTP archive that is made to be slow', () => {
  // Some of `npm run prove -- slow`, which imports all of them at nearly the greatest size.
  it.each([
    ['what is no call', 9_000_000],
    ['a head that is too hard', 0],
    ['one call with headers that fill it', 30_000_000],
  ])('holds the thread that asks no longer than others: %s', async (name, length) => {
    const { holdMs, imported } = await holdOf(archives[name]!(length), await makeTemporaryFolder());
    expect(imported).toBe(1);
    expect(holdMs).toBeLessThan(generousMs);
  });
});
