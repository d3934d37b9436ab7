import { isDeepStrictEqual } from 'node:util';
import type {
  AppState,
  FileNotice,
  HeldSession,
  Language,
  LockCause,
  WindowState,
} from '../../preload/contract/models.ts';
import type { Config } from '../config/config.ts';
import { projectState, type Facts } from './project-state.ts';

export type AppStateHolder = ReturnType<typeof createAppState>;

type Lock = { cause: LockCause; triesLeft: number };

/** Something that main knows, which says when it has changed. */
type Source = { onChange: (listener: () => void) => void };

/** This holds at every start, when the built-in server behaves well. */
const atFirst: Omit<Facts, 'pin'> = {
  builtIn: { state: 'starting' },
  behaviour: { isOn: false, dialect: null, wrong: [], faults: [], left: [], seed: 1 },
  clockAheadMs: 0,
  vault: { state: 'asking' },
  screenReader: false,
  doubles: new Map(),
  doubleWork: undefined,
  lastCalls: new Map(),
  updates: { state: 'off', why: 'not-configured' },
  session: { step: 'signed-out' },
  asking: false,
};

/**
 * Keeps what the screens show. It is projected from what main knows whenever some of that changed (`projectState`), and
 * a result that differs has a new revision. The listener is told once the change is complete, and changes without a
 * wait between them are one. While the application is locked, the listener and the screens are given a state that has
 * nothing of accounts in it.
 */
export function createAppState(
  sources: {
    about: Pick<AppState, 'version' | 'electron'>;
    systemLanguage: Language;
    config: Source & { get: () => Config };
    held: Source & { list: () => HeldSession[] };
    files: Source & { list: () => FileNotice[] };
    /** Whether a PIN is set at the start. */
    pin: boolean;
  },
  onChange: (state: WindowState) => void,
) {
  const { about, systemLanguage, config, held, files } = sources;
  let facts: Facts = { ...atFirst, pin: sources.pin };
  let lock: Lock | undefined;
  let state = project(0);
  let stale = false;
  let told = state.revision;
  let telling = false;

  function project(revision: number): AppState {
    const known = { about, systemLanguage, config: config.get(), sessions: held.list(), files: files.list() };
    return { ...projectState({ ...known, ...facts }), locked: false, revision };
  }

  function get(): AppState {
    if (stale) {
      stale = false;
      const next = project(state.revision);
      if (!isDeepStrictEqual(next, state)) state = { ...next, revision: state.revision + 1 };
    }
    return state;
  }

  function shown(): WindowState {
    if (!lock) return get();
    const { revision, version, electron, settings, language, pin, screenReader, files: listed } = get();
    return { locked: true, revision, version, electron, settings, language, pin, screenReader, files: listed, ...lock };
  }

  function tell(): void {
    telling = false;
    const { revision } = get();
    if (revision === told) return;
    told = revision;
    onChange(shown());
  }

  /** Takes note that something has changed. */
  function changed(): void {
    stale = true;
    if (telling) return;
    telling = true;
    queueMicrotask(tell);
  }

  for (const source of [config, held, files]) source.onChange(changed);

  return {
    /** Answers the whole state, for main. */
    get,
    /** Answers what the window may have now. */
    shown,
    /** Takes in what a part of the application says of itself. */
    set(some: Partial<Facts>): void {
      facts = { ...facts, ...some };
      changed();
    },
    isLocked: (): boolean => lock !== undefined,
    /** Hides everything, or shows it again. */
    setLock(next: Lock | undefined): void {
      lock = next;
      state = { ...get(), revision: state.revision + 1 };
      changed();
    },
  };
}
