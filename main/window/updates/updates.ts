import type { AppState } from '../../../preload/contract/models.ts';
import type { Settings } from '../../../preload/contract/settings.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { UpdateStatus } from '../../../preload/contract/about.ts';
import type { DialogQuestion } from '../../../preload/contract/dialogs.ts';
import type { Handlers } from '../../../preload/contract/contract.ts';
import type { InstallType } from './install-type.ts';
import { type UpdateConfigFiles, readDisabledReason } from './update-feed.ts';
import type { UpdateCheckResult, Updater } from './updater.ts';

/** Milliseconds after the start until the first look, and between two. */
const FIRST_LOOK_AFTER_MS = 60_000;
const LOOK_EVERY_MS = 24 * 60 * 60_000;

/** A download that takes longer is given up: a server that sends a byte now and then would hold it for ever. */
const LONGEST_DOWNLOAD_MS = 60 * 60_000;

/** The status is said again once so many more hundredths of a file are there. */
const percentStep = 5;

/** What updates need of the system. */
export type UpdatePorts = {
  files: UpdateConfigFiles;
  installType: () => Promise<InstallType>;
  /** Loads electron-updater, with the first look. */
  loadUpdater: () => Promise<Updater>;
};

type UpdateOptions = {
  ports: UpdatePorts;
  state: { get: () => AppState; set: (some: { updates: UpdateStatus }) => void; isLocked: () => boolean };
  settings: () => Settings;
  ask: (question: DialogQuestion) => Promise<Result<null>>;
  report: (error: unknown) => unknown;
  now: () => Date;
};

const notNow = fail({ kind: 'not-now' });

/**
 * Looks for newer versions, and takes one in when the person says so. It says nothing new while the application is
 * locked or a contract run is under way.
 */
export class Updates {
  readonly #options: UpdateOptions;
  readonly #timers: NodeJS.Timeout[] = [];
  #status: UpdateStatus = { state: 'not-looked' };
  #isOn = false;
  #isRunUnderWay = false;
  #isLooking = false;
  #isDue = false;
  #work = new AbortController();
  #updater: Promise<Updater> | undefined;

  constructor(options: UpdateOptions) {
    this.#options = options;
  }

  readonly handlers: Handlers['updates'] = {
    check: () => {
      const { state } = this.#status;
      if (!this.#isOn || state === 'downloading' || state === 'ready' || !this.#isQuiet()) return notNow;
      if (state !== 'available') this.#say({ state: 'looking' });
      this.#unwaited(this.#look());
      return ok(null);
    },
    download: () => {
      if (this.#status.state !== 'available' || !this.#isQuiet()) return notNow;
      this.#unwaited(this.#download());
      return ok(null);
    },
    cancel: () => {
      this.#work.abort();
      this.#work = new AbortController();
      if (this.#status.state === 'looking') this.#say({ state: 'not-looked' });
      return ok(null);
    },
    install: () => this.#install(),
  };

  /** Reads whether there is a feed, and looks a minute later and then once a day. To be called after the start. */
  async begin(): Promise<void> {
    const off = await readDisabledReason(this.#options.ports.files);
    if (off) {
      this.#options.state.set({ updates: { state: 'off', ...off } });
      return;
    }
    this.#isOn = true;
    this.#say(this.#status);
    const byItself = (): void => this.#unwaited(this.#lookByItself());
    this.#timers.push(setTimeout(byItself, FIRST_LOOK_AFTER_MS).unref(), setInterval(byItself, LOOK_EVERY_MS).unref());
  }

  /** The application may have been unlocked, or a run may have ended: what came meanwhile is said, what waited is done. */
  onStateChange(): void {
    if (!this.#isOn || !this.#isQuiet()) return;
    if (this.#options.state.get().updates !== this.#status) this.#options.state.set({ updates: this.#status });
    if (this.#isDue) this.#unwaited(this.#lookByItself());
  }

  onRunStep({ running }: { running?: unknown }): void {
    const was = this.#isRunUnderWay;
    this.#isRunUnderWay = running !== undefined;
    if (was && !this.#isRunUnderWay) this.onStateChange();
  }

  /** Ends what is under way. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#work.abort();
  }

  #isQuiet(): boolean {
    return !this.#options.state.isLocked() && !this.#isRunUnderWay;
  }

  /** Says how far it is, at once or as soon as nobody is disturbed. */
  #say(next: UpdateStatus): void {
    this.#status = next;
    if (this.#isQuiet()) this.#options.state.set({ updates: next });
  }

  #unwaited(work: Promise<unknown>): void {
    void work.catch(this.#options.report);
  }

  #loaded(): Promise<Updater> {
    return (this.#updater ??= this.#options.ports.loadUpdater());
  }

  /** Looks when it is time and nobody is disturbed. What is under way or downloaded is left alone. */
  async #lookByItself(): Promise<void> {
    this.#isDue = true;
    if (!this.#options.settings().lookForUpdates || !this.#isQuiet()) return;
    if (this.#status.state !== 'downloading' && this.#status.state !== 'ready') await this.#look();
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#isDue = false;
    const { signal } = this.#work;
    try {
      const way = await this.#options.ports.installType();
      const newest = await (await this.#loaded()).checkForUpdates(way);
      if (!signal.aborted) this.#take(newest, way);
    } finally {
      this.#isLooking = false;
    }
  }

  #take(newest: UpdateCheckResult, way: InstallType): void {
    const at = this.#options.now().toISOString();
    if (newest.state === 'newer') {
      this.#say({ state: 'available', update: { ...newest.update, by: byOf(way) } });
    } else if (newest.state === 'current') {
      this.#say({ state: 'current', at });
    } else if (this.#status.state !== 'available') {
      // A version that was announced stays announced when the next look fails.
      this.#say({ state: 'failed', at, problem: newest.problem });
    }
  }

  async #download(): Promise<void> {
    if (this.#status.state !== 'available' || this.#status.update.by !== 'application') return;
    const { update } = this.#status;
    const { signal } = this.#work;
    let last = 0;
    this.#say({ state: 'downloading', update, percent: 0 });
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), LONGEST_DOWNLOAD_MS).unref();
    const either = AbortSignal.any([signal, late.signal]);
    const found = await (
      await this.#loaded()
    ).download(either, (percent) => {
      if (percent < last + percentStep || either.aborted) return;
      last = percent;
      this.#say({ state: 'downloading', update, percent });
    });
    clearTimeout(timer);
    const problem = late.signal.aborted ? 'not-downloaded' : found;
    if (signal.aborted) this.#say({ state: 'available', update });
    else if (problem) this.#say({ state: 'available', update, problem });
    else this.#say({ state: 'ready', update });
  }

  async #install(): Promise<Result<null>> {
    if (this.#status.state !== 'ready' || !this.#isQuiet()) return notNow;
    const { update } = this.#status;
    const agreed = await this.#options.ask({ kind: 'install-update', version: update.version });
    if (!agreed.ok) return agreed.error.kind === 'cancelled' ? ok(null) : agreed;
    // The question may have stood there for long.
    if (!this.#isQuiet()) return notNow;
    const isBegun = await (await this.#loaded()).install();
    if (!isBegun) this.#say({ state: 'ready', update, problem: 'not-installed' });
    return ok(null);
  }
}

/** A package of the system is installed as root, and an unpacked folder belongs to the person: both are told only. */
function byOf(way: InstallType): 'application' | 'system' | 'person' {
  if (way === 'deb' || way === 'rpm') return 'system';
  return way === 'unpacked' ? 'person' : 'application';
}
