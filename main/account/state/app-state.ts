import { isDeepStrictEqual } from 'node:util';
import type { AppState, FileNotice, SessionInfo, LockCause, WindowState } from '../../../preload/contract/models.ts';
import type { Language } from '../../../preload/contract/settings.ts';
import type { Config } from '../config/config.ts';
import { projectState, stoppedServer, type RuntimeState } from './project-state.ts';

export type AppStateHolder = ReturnType<typeof createAppState>;

type Lock = { cause: LockCause; triesLeft: number };

/** Something that main knows, which says when it has changed. */
type Source = { onChange: (listener: () => void) => void };

/** This holds at every start, when the built-in server behaves well. */
const atFirst: Omit<RuntimeState, 'pin'> = {
  builtIn: { state: 'starting' },
  behaviour: stoppedServer.behaviour,
  clockAheadMs: stoppedServer.clockAheadMs,
  vault: { state: 'asking' },
  screenReader: false,
  mockServers: new Map(),
  doubleWork: undefined,
  lastCalls: new Map(),
  updates: { state: 'off', why: 'not-configured' },
  session: { step: 'signed-out' },
  asking: false,
};

/**
 * Keeps what the screens show. It is projected from what main knows whenever some of that changed (`projectState`), and
 * the listener is told of a result that differs, once the change is complete. Changes without a wait between them are
 * one. While the application is locked, the listener and the screens are given a state that has nothing of accounts in it.
 */
export function createAppState(
  sources: {
    about: Pick<AppState, 'version' | 'electron'>;
    systemLanguage: Language;
    config: Source & { get: () => Config };
    sessionStore: Source & { list: () => SessionInfo[] };
    files: Source & { list: () => FileNotice[] };
    /** Whether a PIN is set at the start. */
    pin: boolean;
  },
  onChange: (state: WindowState) => void,
) {
  const { about, systemLanguage, config, sessionStore, files } = sources;
  let facts: RuntimeState = { ...atFirst, pin: sources.pin };
  let lock: Lock | undefined;
  let state = project();
  let stale = false;
  let told = state;
  let telling = false;

  function project(): AppState {
    const known = { about, systemLanguage, config: config.get(), sessions: sessionStore.list(), files: files.list() };
    return { ...projectState({ ...known, ...facts }), locked: false };
  }

  function get(): AppState {
    if (stale) {
      stale = false;
      const next = project();
      if (!isDeepStrictEqual(next, state)) state = next;
    }
    return state;
  }

  function windowState(): WindowState {
    if (!lock) return get();
    const { version, electron, settings, language, pin, screenReader, files: listed } = get();
    return { locked: true, version, electron, settings, language, pin, screenReader, files: listed, ...lock };
  }

  function tell(): void {
    telling = false;
    const next = get();
    if (next === told) return;
    told = next;
    onChange(windowState());
  }

  /** Takes note that something has changed. */
  function changed(): void {
    stale = true;
    if (telling) return;
    telling = true;
    queueMicrotask(tell);
  }

  for (const source of [config, sessionStore, files]) source.onChange(changed);

  return {
    /** Answers the whole state, for main. */
    get,
    /** Answers what the window may have now. */
    shown: windowState,
    /** Takes in what a part of the application says of itself. */
    set(some: Partial<RuntimeState>): void {
      facts = { ...facts, ...some };
      changed();
    },
    isLocked: (): boolean => lock !== undefined,
    /** Hides everything, or shows it again. */
    setLock(next: Lock | undefined): void {
      lock = next;
      // The window is told of it, whatever else is the same.
      state = { ...get() };
      changed();
    },
  };
}
