import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { contract } from '../../../preload/contract/contract.ts';
import { makeMain } from '../../support/make-main.ts';
import { noUpdates } from '../../support/no-updates.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { feedOf, makersKey, signedFeed } from '../../support/update-feeds.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

afterEach(() => vi.useRealTimers());

/** The application with a feed that announces 0.2.0, and a clock of its own. */
async function begin(isConfigured = true) {
  const builtIn = path.join(await makeTemporaryFolder(), 'updates.json');
  if (isConfigured) await writeFile(builtIn, JSON.stringify({ updates: 'https://updates.example/', key: makersKey }));
  const fetched: string[] = [];
  const updates = {
    ...noUpdates,
    files: { builtIn, administrators: [] },
    fetch: async (url: string) => {
      fetched.push(url);
      return new Response(signedFeed(feedOf('new')));
    },
  };
  const about = { version: '0.1.0', electron: { version: '', thirdParty: false } };
  const main = await makeMain({}, { ports: { updates, about } });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  await main.updates.begin();
  const state = (): string => main.state.get().updates.state;
  return { ...main, fetched, state };
}

const feed = 'https://updates.example/llavero-updates.json';

describe('Llavero by itself', () => {
  it('looks a minute after the start and once a day, and never before', async () => {
    const { fetched, state, updates } = await begin();
    await vi.advanceTimersByTimeAsync(minute - 1);
    expect([fetched, state()]).toEqual([[], 'not-looked']);
    await vi.advanceTimersByTimeAsync(1);
    await vi.waitFor(() => expect(state()).toBe('available'));
    expect(fetched).toEqual([feed]);
    await vi.advanceTimersByTimeAsync(day);
    await vi.waitFor(() => expect(fetched).toEqual([feed, feed]));
    updates.close();
    await vi.advanceTimersByTimeAsync(3 * day);
    expect(fetched).toHaveLength(2);
  });

  it('does not look where no feed is configured, nor where the person does not want it', async () => {
    const without = await begin(false);
    await vi.advanceTimersByTimeAsync(2 * day);
    expect([without.fetched, without.state()]).toEqual([[], 'off']);
    vi.useRealTimers();
    const unwanted = await begin();
    await unwanted.handlers.settings.change({ lookForUpdates: false });
    await vi.advanceTimersByTimeAsync(2 * day);
    expect([unwanted.fetched, unwanted.state()]).toEqual([[], 'not-looked']);
    expect(await unwanted.handlers.updates.look(undefined)).toMatchObject({ ok: true });
    await vi.waitFor(() => expect(unwanted.state()).toBe('available'));
  });

  it('waits for the end of a lock or of a contract run', async () => {
    const { fetched, lock, updates, state } = await begin();
    lock.lock('by-hand');
    updates.runStepped({ underWay: {} });
    await vi.advanceTimersByTimeAsync(minute);
    expect(fetched).toEqual([]);
    await lock.unlock(undefined);
    expect(fetched).toEqual([]);
    updates.runStepped({});
    await vi.waitFor(() => expect(state()).toBe('available'));
    expect(fetched).toEqual([feed]);
  });

  it('remembers when the newest feed was signed, so that an older one is a repetition after the next start', async () => {
    const { store, state } = await begin();
    await vi.advanceTimersByTimeAsync(minute);
    await vi.waitFor(() => expect(state()).toBe('available'));
    expect(store['newestFeed']).toBe('2026-11-20T10:00:00Z');
  });
});

describe('a page that was taken over', () => {
  it('has no word about where updates come from', () => {
    const evil = 'https://evil.example/';
    for (const { input } of Object.values(contract.updates)) {
      expect(input.safeParse(undefined).success).toBe(true);
      expect(
        [evil, { updates: evil }, { folder: evil, key: makersKey }].map((each) => input.safeParse(each).success),
      ).toEqual([false, false, false]);
    }
    expect(contract.settings.change.input.parse({ updates: evil, feed: evil, folder: evil })).toEqual({});
  });
});
