import type { AppState, Language, Settings } from '../../preload/contract/models.ts';
import { fail, type Result } from '../../preload/contract/result.ts';
import type { UpdateStatus } from '../../preload/contract/updates.ts';
import type { Question } from '../dialogs.ts';
import type { Handlers } from '../ipc/answer.ts';
import type { Fetch } from './fetch-limited.ts';
import type { InstallWay } from './install-way.ts';
import type { SourceFiles } from './source.ts';
import type { createUpdates } from './updates.ts';

/** What updates need of the system. */
export type UpdatePorts = {
  files: SourceFiles;
  way: () => Promise<InstallWay>;
  processor: string;
  fetch: Fetch;
  /** Ends the application; with a path, that is started afterwards. */
  restart: (executable?: string) => void;
};

export type UpdateOptions = {
  ports: UpdatePorts;
  /** The folder for what is downloaded. */
  folder: string;
  /** The version that runs. */
  version: string;
  state: { get: () => AppState; set: (some: { updates: UpdateStatus }) => void; isLocked: () => boolean };
  settings: () => Settings;
  language: () => Language;
  /** When the newest feed was signed that was seen so far: an older one is a repetition. */
  newest: { get: () => string | undefined; set: (signedAt: string) => void };
  ask: (question: Question) => Promise<Result<null>>;
  openOutside: (address: string) => Promise<Result<null>>;
  report: (error: unknown) => unknown;
  now: () => Date;
};

const notNow = fail({ kind: 'not-now' });

/** Holds what looks for newer versions. Its code is loaded where a feed is configured, and after the start. */
export function createUpdatesRoom(options: UpdateOptions) {
  const { ports, state } = options;
  let updates: ReturnType<typeof createUpdates> | undefined;

  const handlers: Handlers['updates'] = {
    look: () => updates?.handlers.look() ?? notNow,
    download: () => updates?.handlers.download() ?? notNow,
    cancel: () => updates?.handlers.cancel() ?? notNow,
    install: () => updates?.handlers.install() ?? notNow,
    openPage: () => updates?.handlers.openPage() ?? notNow,
  };

  return {
    handlers,

    /** Reads where updates come from. To be called when the start is over. */
    async begin(): Promise<void> {
      const { readSource } = await import('./source.ts');
      const source = await readSource(ports.files);
      if (source.state === 'off') {
        state.set({ updates: source });
        return;
      }
      updates = (await import('./updates.ts')).createUpdates(options, source);
      updates.begin();
    },

    /** The application may have been unlocked. */
    stateChanged: (): void => updates?.settled(),

    runStepped: (step: { underWay?: unknown }): void => updates?.runStepped(step),

    /** Ends what is under way. */
    close: (): void => updates?.close(),
  };
}
