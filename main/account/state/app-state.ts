import { isDeepStrictEqual } from 'node:util';
import type { AppState, FileNotice, SessionInfo, LockCause, WindowState } from '../../../preload/contract/models.ts';
import type { Language } from '../../../preload/contract/settings.ts';
import type { Config } from '../config/config.ts';
import { projectState, stoppedServer, type RuntimeState } from './project-state.ts';

export type AppStateHolder = ReturnType<typeof createAppState>;

type Lock = { cause: LockCause; triesLeft: number };

type Observable = { onChange: (listener: () => void) => void };

const initialFacts: Omit<RuntimeState, 'pin'> = {
  builtIn: { state: 'starting' },
  behaviour: stoppedServer.behaviour,
  clockAheadMs: stoppedServer.clockAheadMs,
  vault: { state: 'asking' },
  screenReader: false,
  mockServers: new Map(),
  mockCreation: undefined,
  lastCalls: new Map(),
  updates: { state: 'off', why: 'not-configured' },
  session: { step: 'signed-out' },
  pendingLogin: undefined,
  asking: false,
};

/**
 * Derives the renderer's state from config, sessions and runtime facts (`projectState`). The listener gets each state that
 * differs, in a microtask, so that synchronous changes are one. While the application is locked, the listener and the window
 * get a state without accounts and servers.
 */
export function createAppState(
  sources: {
    about: Pick<AppState, 'version' | 'electron'>;
    systemLanguage: Language;
    config: Observable & { get: () => Config };
    sessionStore: Observable & { list: () => SessionInfo[] };
    files: Observable & { list: () => FileNotice[] };
    /** Whether a PIN is set. */
    pin: boolean;
  },
  onChange: (state: WindowState) => void,
) {
  const { about, systemLanguage, config, sessionStore, files } = sources;
  let facts: RuntimeState = { ...initialFacts, pin: sources.pin };
  let lock: Lock | undefined;
  let state = project();
  let isStale = false;
  let lastSent = state;
  let isScheduled = false;

  function project(): AppState {
    const inputs = { about, systemLanguage, config: config.get(), sessions: sessionStore.list(), files: files.list() };
    return { ...projectState({ ...inputs, ...facts }), locked: false };
  }

  function get(): AppState {
    if (isStale) {
      isStale = false;
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

  function notify(): void {
    isScheduled = false;
    const next = get();
    if (next === lastSent) return;
    lastSent = next;
    onChange(windowState());
  }

  function invalidate(): void {
    isStale = true;
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(notify);
  }

  for (const source of [config, sessionStore, files]) source.onChange(invalidate);

  return {
    /** The whole state, for main. */
    get,
    /** The state for the window. */
    shown: windowState,
    set(some: Partial<RuntimeState>): void {
      facts = { ...facts, ...some };
      invalidate();
    },
    isLocked: (): boolean => lock !== undefined,
    setLock(next: Lock | undefined): void {
      lock = next;
      // A new object, so that the window is notified even if nothing else changed.
      state = { ...get() };
      invalidate();
    },
  };
}
