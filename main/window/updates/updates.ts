import type { AppState } from '../../../preload/contract/models.ts';
import type { Settings } from '../../../preload/contract/settings.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { UpdateStatus } from '../../../preload/contract/about.ts';
import type { DialogQuestion } from '../../../preload/contract/dialogs.ts';
import type { Handlers } from '../../../preload/contract/contract.ts';
import type { InstallType } from './install-type.ts';
import { type UpdateConfigFiles, readDisabledReason } from './update-feed.ts';
import type { UpdateCheckResult, Updater } from './updater.ts';

/** Milliseconds. */
const FIRST_CHECK_AFTER_MS = 60_000;
const CHECK_EVERY_MS = 24 * 60 * 60_000;

/** A server that sends a byte now and then would keep a download open for ever. */
const LONGEST_DOWNLOAD_MS = 60 * 60_000;

/** Progress is shown in steps. */
const percentStep = 5;

/** Where updates come from, and how this copy was installed. */
export type UpdateSource = {
  files: UpdateConfigFiles;
  installType: () => Promise<InstallType>;
  /** Loads electron-updater, with the first check. */
  loadUpdater: () => Promise<Updater>;
};

type UpdateOptions = {
  source: UpdateSource;
  state: { get: () => AppState; set: (some: { updates: UpdateStatus }) => void; isLocked: () => boolean };
  settings: () => Settings;
  ask: (question: DialogQuestion) => Promise<Result<null>>;
  report: (error: unknown) => unknown;
  now: () => Date;
};

const notNow = fail({ kind: 'not-now' });

/**
 * Checks for updates, and installs one when the user asks for it. The status does not change on the screen while the
 * application is locked or a check of a server is running.
 */
export class Updates {
  readonly #options: UpdateOptions;
  readonly #timers: NodeJS.Timeout[] = [];
  #status: UpdateStatus = { state: 'not-checked' };
  #isEnabled = false;
  #isServerCheckRunning = false;
  #isChecking = false;
  #isCheckDue = false;
  #work = new AbortController();
  #updater: Promise<Updater> | undefined;

  constructor(options: UpdateOptions) {
    this.#options = options;
  }

  readonly handlers: Handlers['updates'] = {
    check: () => {
      const { state } = this.#status;
      if (!this.#isEnabled || state === 'downloading' || state === 'ready' || !this.#mayInterrupt()) return notNow;
      if (state !== 'available') this.#setStatus({ state: 'checking' });
      this.#runInBackground(this.#check());
      return ok(null);
    },
    download: () => {
      if (this.#status.state !== 'available' || !this.#mayInterrupt()) return notNow;
      this.#runInBackground(this.#download());
      return ok(null);
    },
    cancel: () => {
      this.#work.abort();
      this.#work = new AbortController();
      if (this.#status.state === 'checking') this.#setStatus({ state: 'not-checked' });
      return ok(null);
    },
    install: () => this.#install(),
  };

  /** Enables updates if there is a feed: the first check is a minute later, and then once a day. */
  async begin(): Promise<void> {
    const off = await readDisabledReason(this.#options.source.files);
    if (off) {
      this.#options.state.set({ updates: { state: 'off', ...off } });
      return;
    }
    this.#isEnabled = true;
    this.#setStatus(this.#status);
    const check = (): void => this.#runInBackground(this.#checkAutomatically());
    this.#timers.push(setTimeout(check, FIRST_CHECK_AFTER_MS).unref(), setInterval(check, CHECK_EVERY_MS).unref());
  }

  /** The application may have been unlocked, or a check of a server may have ended. */
  onStateChange(): void {
    if (!this.#isEnabled || !this.#mayInterrupt()) return;
    if (this.#options.state.get().updates !== this.#status) this.#options.state.set({ updates: this.#status });
    if (this.#isCheckDue) this.#runInBackground(this.#checkAutomatically());
  }

  onRunStep({ running }: { running?: unknown }): void {
    const was = this.#isServerCheckRunning;
    this.#isServerCheckRunning = running !== undefined;
    if (was && !this.#isServerCheckRunning) this.onStateChange();
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#work.abort();
  }

  #mayInterrupt(): boolean {
    return !this.#options.state.isLocked() && !this.#isServerCheckRunning;
  }

  #setStatus(next: UpdateStatus): void {
    this.#status = next;
    if (this.#mayInterrupt()) this.#options.state.set({ updates: next });
  }

  #runInBackground(work: Promise<unknown>): void {
    void work.catch(this.#options.report);
  }

  #loadUpdater(): Promise<Updater> {
    return (this.#updater ??= this.#options.source.loadUpdater());
  }

  async #checkAutomatically(): Promise<void> {
    this.#isCheckDue = true;
    if (!this.#options.settings().lookForUpdates || !this.#mayInterrupt()) return;
    if (this.#status.state !== 'downloading' && this.#status.state !== 'ready') await this.#check();
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    this.#isCheckDue = false;
    const { signal } = this.#work;
    try {
      const installType = await this.#options.source.installType();
      const result = await (await this.#loadUpdater()).checkForUpdates(installType);
      if (!signal.aborted) this.#applyResult(result, installType);
    } finally {
      this.#isChecking = false;
    }
  }

  #applyResult(result: UpdateCheckResult, installType: InstallType): void {
    const at = this.#options.now().toISOString();
    if (result.state === 'newer') {
      this.#setStatus({ state: 'available', update: { ...result.update, by: installerOf(installType) } });
    } else if (result.state === 'current') {
      this.#setStatus({ state: 'current', at });
    } else if (this.#status.state !== 'available') {
      // An available version stays available if the next check fails.
      this.#setStatus({ state: 'failed', at, problem: result.problem });
    }
  }

  async #download(): Promise<void> {
    if (this.#status.state !== 'available' || this.#status.update.by !== 'application') return;
    const { update } = this.#status;
    const { signal } = this.#work;
    let last = 0;
    this.#setStatus({ state: 'downloading', update, percent: 0 });
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), LONGEST_DOWNLOAD_MS).unref();
    const abortSignal = AbortSignal.any([signal, timeout.signal]);
    const found = await (
      await this.#loadUpdater()
    ).download(abortSignal, (percent) => {
      if (percent < last + percentStep || abortSignal.aborted) return;
      last = percent;
      this.#setStatus({ state: 'downloading', update, percent });
    });
    clearTimeout(timer);
    const problem = timeout.signal.aborted ? 'not-downloaded' : found;
    if (signal.aborted) this.#setStatus({ state: 'available', update });
    else if (problem) this.#setStatus({ state: 'available', update, problem });
    else this.#setStatus({ state: 'ready', update });
  }

  async #install(): Promise<Result<null>> {
    if (this.#status.state !== 'ready' || !this.#mayInterrupt()) return notNow;
    const { update } = this.#status;
    const agreed = await this.#options.ask({ kind: 'install-update', version: update.version });
    if (!agreed.ok) return agreed.error.kind === 'cancelled' ? ok(null) : agreed;
    // The dialog may have been open for long.
    if (!this.#mayInterrupt()) return notNow;
    const isStarted = await (await this.#loadUpdater()).install();
    if (!isStarted) this.#setStatus({ state: 'ready', update, problem: 'not-installed' });
    return ok(null);
  }
}

/** A package of the system is installed as root, and an unpacked folder is the user's: both are only announced. */
function installerOf(installType: InstallType): 'application' | 'system' | 'person' {
  if (installType === 'deb' || installType === 'rpm') return 'system';
  return installType === 'unpacked' ? 'person' : 'application';
}
