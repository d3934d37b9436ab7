import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import type { Trial } from '../../../preload/contract/trial.ts';
import type { MethodName } from '../../../preload/contract/contract.ts';
import type { ReportComparison, RunPlan } from '../../../preload/contract/report.ts';
import type { RunHistory, ChecksState, OpenedReport, CheckProgressEvent } from '../../../preload/contract/checks.ts';
import type { SharedMockStatus } from '../../../preload/contract/local-servers.ts';
import type { ReplayOutcome } from '../../../preload/contract/calls.ts';
import type { ServersFileImport } from '../../../preload/contract/servers-file.ts';
import type { ConnectionReport, AppState, EndedSessions, WindowState } from '../../../preload/contract/models.ts';
import type { AppError, Result } from '../../../preload/contract/result.ts';
import type { StubCall } from './calls.ts';
import { slowDown } from '../slow-page.ts';
import { plan } from './checks.ts';
import { firstStart } from './states.ts';

/** What the methods about checks answer. */
type AboutRuns =
  | ChecksState
  | OpenedReport
  | RunHistory
  | ReportComparison
  | { comparison?: ReportComparison }
  | { exported: boolean; model?: SharedMockStatus }
  | { copied: boolean; missing?: number };
type Outcome =
  | Result<
      | { finding: object }
      | { found: object }
      | { id: string }
      | { opened: boolean }
      | ConnectionReport
      | ReplayOutcome
      | AboutRuns
      | Trial
      | ServersFileImport
      | EndedSessions
      | { text: string }
      | null
    >
  | { state: WindowState; value?: 'logged-in' | 'not-logged-in' };
type Answer = Outcome | 'hold';

/** The global of main.mjs; the functions given to `evaluate` run there. */
declare const stub: {
  state: AppState;
  asked: [method: string, input: unknown][];
  painted: { promise: Promise<undefined> };
  unanswered: string[];
  answers: Record<string, Answer[]>;
  holding: boolean;
  releaseOldest: () => string | undefined;
  release: (method: string, result?: Outcome) => Promise<void>;
  reset: (state: AppState, calls: StubCall[]) => void;
  record: (calls: StubCall[]) => void;
  change: (part: Partial<AppState>) => void;
  send: (state: WindowState) => void;
  runs: ChecksState;
  plan: RunPlan;
  scripts: Promise<void>;
  giveScripts: () => void;
  step: (step: CheckProgressEvent) => void;
};

export interface StubApp {
  app: ElectronApplication;
  page: Page;
  /** What the page complained about: scripts, styles or HTML that the policies refused. */
  complaints: string[];
  /** Loads the page again from this state, and forgets what it asked and what was to be answered. */
  start: (state?: Partial<AppState>, calls?: readonly StubCall[]) => Promise<void>;
  /** Lets every script that the page asks for from now on wait, and returns what lets them come. */
  holdScripts: () => Promise<() => Promise<void>>;
  /** Makes main record these, the last one as the newest, and tell the window of each. */
  record: (calls: readonly StubCall[]) => Promise<void>;
  /** Makes main change its state and tell the window. */
  change: (part: Partial<AppState>) => Promise<void>;
  /** Makes main tell the window a state that it does not hold itself. */
  send: (state: WindowState) => Promise<void>;
  /** Sets the checks as main knows them from now on. */
  runs: (runs: ChecksState) => Promise<void>;
  /** Makes main say how far a check is. */
  step: (step: CheckProgressEvent) => Promise<void>;
  /** Makes the method answer so the next time. With a state it tells this one, as main does, and answers its value, or nothing. */
  answer: (method: MethodName, answer: Answer) => Promise<void>;
  fails: (method: MethodName, error: AppError) => Promise<void>;
  /** Answers at last what waits, once it was asked: with this result, or as usual. */
  release: (method: MethodName, result?: Outcome) => Promise<void>;
  /** From now on nothing is answered until it is released, or everything is again. */
  holdEverything: (isHeld?: boolean) => Promise<void>;
  /** Answers what waits longest as usual, and says which method that was; undefined when nothing waits. */
  releaseOldest: () => Promise<string | undefined>;
  /** The inputs with which a method was called so far. */
  callsOf: (method: MethodName) => Promise<unknown[]>;
  /** The methods that were called and that main has no answer for, since the last question. */
  unanswered: () => Promise<string[]>;
}

const root = path.resolve(import.meta.dirname, '../../..');

/** Makes what loads the page again. */
function startsOf(app: ElectronApplication, page: Page): Pick<StubApp, 'start' | 'holdScripts'> {
  return {
    holdScripts: async () => {
      // Scripts that the page had before would be there at once.
      const devTools = await page.context().newCDPSession(page);
      await devTools.send('Network.enable');
      await devTools.send('Network.setCacheDisabled', { cacheDisabled: true });
      await app.evaluate(() => {
        const held = Promise.withResolvers<void>();
        stub.scripts = held.promise;
        stub.giveScripts = held.resolve;
      });
      return async () => {
        await app.evaluate(() => stub.giveScripts());
        await devTools.detach();
      };
    },
    start: async (state = {}, calls = []) => {
      await app.evaluate((_electron, given) => stub.reset(given.state, given.calls), {
        state: { ...firstStart, ...state },
        calls: [...calls],
      });
      await app.evaluate((_electron, given) => {
        stub.plan = given;
      }, plan);
      // What a window remembers would carry over from one test to the next.
      await page.evaluate(() => localStorage.clear());
      await page.reload();
      await page.getByRole('main').waitFor();
      // What a test holds back or counts then is of its own doing.
      await app.evaluate(() => stub.painted.promise);
    },
  };
}

/**
 * Opens the built page with a main process that only answers what the test says.
 * @param builtRoot the checkout whose build is shown
 */
export async function openStubApp(builtRoot = root): Promise<StubApp> {
  const { ELECTRON_RUN_AS_NODE: _asNode, NODE_OPTIONS: _options, ...inherited } = process.env;
  const defined = Object.entries(inherited).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  // Of its own, since two workers have one open at the same time. Playwright ends the application with the worker.
  const profile = await mkdtemp(path.join(tmpdir(), 'llavero-stub-'));
  process.once('exit', () => rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  const app = await _electron.launch({
    executablePath: process.execPath,
    args: [...asRoot, '--disable-gpu', `--user-data-dir=${profile}`, path.join(import.meta.dirname, 'main.mjs')],
    env: {
      ...Object.fromEntries(defined),
      STUB_DIST: path.join(builtRoot, 'dist'),
      STUB_STATE: JSON.stringify(firstStart),
    },
    chromiumSandbox: true,
  });
  const page = await app.firstWindow();
  await slowDown(page);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.getByRole('main').waitFor();

  const answer = (method: MethodName, next: Answer) =>
    app.evaluate(
      (_electron, given) => {
        (stub.answers[given.method] ??= []).push(given.next);
      },
      { method, next },
    );

  return {
    app,
    page,
    complaints,
    ...startsOf(app, page),
    record: (calls) => app.evaluate((_electron, given) => stub.record(given), [...calls]),
    change: (part) => app.evaluate((_electron, given) => stub.change(given), part),
    send: (state) => app.evaluate((_electron, given) => stub.send(given), state),
    runs: (runs) =>
      app.evaluate((_electron, given) => {
        stub.runs = given;
      }, runs),
    step: (step) => app.evaluate((_electron, given) => stub.step(given), step),
    answer,
    fails: (method, error) => answer(method, { ok: false, error }),
    release: (method, result) =>
      app.evaluate((_electron, given) => stub.release(given.method, given.result), { method, result }),
    holdEverything: (isHeld = true) =>
      app.evaluate((_electron, given) => {
        stub.holding = given;
      }, isHeld),
    releaseOldest: () => app.evaluate(() => stub.releaseOldest()),
    callsOf: (method) =>
      app.evaluate(
        (_electron, given) => stub.asked.flatMap(([name, input]) => (name === given ? [input] : [])),
        method,
      ),
    unanswered: () => app.evaluate(() => stub.unanswered.splice(0)),
  };
}
