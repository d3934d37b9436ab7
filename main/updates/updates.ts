import type { Result } from '../../preload/contract/result.ts';
import { fail, ok } from '../../preload/contract/result.ts';
import type { AppState } from '../../preload/contract/models.ts';
import type { UpdateProblem, UpdateStatus } from '../../preload/contract/updates.ts';
import { createLazy } from '../lazy.ts';
import type { Installer } from './installer.ts';
import type { Found, Offer } from './look.ts';
import type { UpdateOptions } from './updates-room.ts';

/** Milliseconds after the start until the first look, and between two. */
const FIRST_LOOK_AFTER_MS = 60_000;
const LOOK_EVERY_MS = 24 * 60 * 60_000;

/** The status is said again once so many more hundredths of a file are there. */
const percentStep = 5;

/**
 * Looks for newer versions, and takes one in when the person says so. It says nothing new while the application is
 * locked or a contract run is under way.
 * @param source the folder on a server where the feed lies, and the public key for it
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- One status goes through all of it, and each inner function is short.
export function createUpdates(options: UpdateOptions, source: { folder: string; key: string }) {
  const { ports, version, state, settings, language, newest, report, now } = options;
  let status: UpdateStatus = { state: 'not-looked' };
  let offer: Offer | undefined;
  let isRunUnderWay = false;
  let isLooking = false;
  let isDue = false;
  const timers: NodeJS.Timeout[] = [];
  let work = new AbortController();

  const installer = createLazy(async (): Promise<Installer | undefined> => {
    const way = await ports.way();
    if (way === 'deb' || way === 'rpm' || way === 'unpacked') return undefined;
    const { createInstaller } = await import('./installer.ts');
    return createInstaller({ ...ports, way, version, folder: options.folder });
  });

  const isQuiet = (): boolean => !state.isLocked() && !isRunUnderWay;

  /** Says how far it is, at once or as soon as nobody is disturbed. */
  function say(next: UpdateStatus): void {
    status = next;
    if (isQuiet()) state.set({ updates: status });
  }

  /** It is quiet again: what came meanwhile is said, and what had to wait is done. */
  function settled(): void {
    if (!isQuiet()) return;
    if (state.get().updates !== status) state.set({ updates: status });
    if (isDue) void lookByItself().catch(report);
  }

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    isDue = false;
    const { signal } = work;
    try {
      const { lookForUpdate } = await import('./look.ts');
      const found = await lookForUpdate({
        ...ports,
        source,
        version,
        way: await ports.way(),
        language: language(),
        newestSignedAt: newest.get(),
        now: now(),
        signal,
      });
      if (!signal.aborted) await take(found);
    } finally {
      isLooking = false;
    }
  }

  async function take(found: Found): Promise<void> {
    const at = now().toISOString();
    if (found.state === 'failed') {
      // A version that was announced stays announced when the next look fails.
      if (status.state === 'available') return;
      say({ state: 'failed', at, problem: found.problem });
      return;
    }
    newest.set(found.signedAt);
    if (found.state === 'current') {
      offer = undefined;
      say({ state: 'current', at });
      const { rm } = await import('node:fs/promises');
      await rm(options.folder, { recursive: true, force: true }).catch(() => undefined);
      return;
    }
    offer = found.offer;
    say({ state: 'available', update: offer.update });
  }

  /** Looks when it is time and nobody is disturbed. What is under way or downloaded is left alone. */
  async function lookByItself(): Promise<void> {
    isDue = true;
    if (!settings().lookForUpdates || !isQuiet()) return;
    if (status.state !== 'downloading' && status.state !== 'ready') await look();
  }

  function lookNow(): void {
    if (status.state !== 'available') say({ state: 'looking' });
    void look().catch(report);
  }

  async function download(): Promise<void> {
    const wanted = offer;
    if (wanted?.file === undefined || wanted.update.by !== 'application') return;
    const { update, folder, file } = wanted;
    const { signal } = work;
    let last = 0;
    say({ state: 'downloading', update, percent: 0 });
    const done = await (
      await installer()
    )?.download({ version: update.version, folder, file }, signal, (percent) => {
      if (percent < last + percentStep) return;
      last = percent;
      say({ state: 'downloading', update, percent });
    });
    if (done?.ok) say({ state: 'ready', update });
    else say({ state: 'available', update, problem: signal.aborted ? undefined : problemOf(done) });
  }

  async function install(): Promise<Result<null>> {
    if (status.state !== 'ready' || !isQuiet()) return fail({ kind: 'not-now' });
    const { update } = status;
    const agreed = await options.ask({ kind: 'install-update', version: update.version });
    if (!agreed.ok) return agreed.error.kind === 'cancelled' ? ok(null) : agreed;
    // The question may have stood there for long.
    if (!isQuiet()) return fail({ kind: 'not-now' });
    const done = await (await installer())?.install();
    if (done?.ok) return ok(null);
    const problem = problemOf(done);
    say(problem === 'changed' ? { state: 'available', update, problem } : { state: 'ready', update, problem });
    return ok(null);
  }

  async function openPage(): Promise<Result<{ opened: boolean }>> {
    const page = offer?.update.page;
    if (page === undefined) return fail({ kind: 'not-now' });
    const agreed = await options.ask({ kind: 'open-outside', baseUrl: page });
    if (!agreed.ok) return agreed.error.kind === 'cancelled' ? ok({ opened: false }) : agreed;
    const opened = await options.openOutside(page);
    return opened.ok ? ok({ opened: true }) : opened;
  }

  const then = (done: Result<null>): Result<AppState> => (done.ok ? ok(state.get()) : done);

  const handlers = {
    look() {
      if (status.state === 'downloading' || status.state === 'ready' || !isQuiet()) return fail({ kind: 'not-now' });
      lookNow();
      return ok(state.get());
    },
    download() {
      if (status.state !== 'available' || !isQuiet()) return fail({ kind: 'not-now' });
      void download().catch(report);
      return ok(state.get());
    },
    cancel() {
      work.abort();
      work = new AbortController();
      if (status.state === 'looking') say({ state: 'not-looked' });
      return ok(state.get());
    },
    install: async () => then(await install()),
    openPage,
  };

  return {
    handlers,

    /** Looks a minute later, and then once a day. */
    begin(): void {
      say(status);
      const byItself = (): void => void lookByItself().catch(report);
      timers.push(setTimeout(byItself, FIRST_LOOK_AFTER_MS).unref(), setInterval(byItself, LOOK_EVERY_MS).unref());
    },

    /** The application may have been unlocked. */
    settled,

    runStepped({ underWay }: { underWay?: unknown }): void {
      const was = isRunUnderWay;
      isRunUnderWay = underWay !== undefined;
      if (was && !isRunUnderWay) settled();
    },

    /** Ends what is under way. */
    close(): void {
      for (const timer of timers) clearTimeout(timer);
      work.abort();
    },
  };
}

const problemOf = (done: { ok: boolean; problem?: UpdateProblem } | undefined): UpdateProblem =>
  done?.problem ?? 'not-installed';
