import * as fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import type { ElectronApplication, Page } from 'playwright-core';
import type { WindowState } from '../../preload/contract/models.ts';
import type { Result } from '../../preload/contract/result.ts';
import { contract, type MethodName } from '../../preload/contract/contract.ts';
import type { Method } from '../../preload/contract/method.ts';
import { methodNames } from '../../preload/contract/channels.ts';
import { startApp } from '../support/start-app.ts';
import { hardValue, makeValue, type Recipe } from './hard-values.ts';

const AT_ONCE = 50;
const ANSWER_WITHIN_MS = 60_000;
const MOST_FINDINGS = 10;

type IpcSummary = {
  name: 'ipc';
  seed: number;
  calls: number;
  methods: number;
  /** The number of calls whose input has another shape: each was answered as a fault of the page. */
  refused: number;
  /** The number of inputs that were never sent, since they cannot be copied to another process. */
  notSendable: number;
  /** The number of calls with the right shape that were answered: they are about ids that nobody has. */
  answered: number;
  crashes: number;
  unhandled: number;
  stateChanges: number;
  findings: string[];
};

const nobody = { id: 'nobody' };
const server = {
  name: 'X',
  colour: 'red',
  notes: '',
  registrationPath: 'registro',
  production: false,
  pinned: {},
  address: 'http://127.0.0.1:1',
  enteredConnection: {
    proxy: { mode: 'manual', address: '127.0.0.1:1', username: '', noProxy: '' },
    authorityFile: '',
    clientCertificate: { form: 'none' },
    limits: { connectSeconds: '', firstByteSeconds: '', totalSeconds: '' },
    secrets: { passphrase: 'x' },
  },
};
const ofReport = { serverId: 'nobody' };
const filter = { search: '', outcome: 'all', checks: 'with', pinnedOnly: false };

/** A good input of each method that takes one, to be spoilt. The `untouched` methods change nothing for these ids. */
const inputs: { [N in MethodName]?: { good: object; untouched?: true } } = {
  'session.login': { good: { email: 'a', password: 'b' } },
  'session.register': { good: { path: 'registro', name: 'a', email: 'b', password: 'c', cpassword: '' } },
  'interfaces.find': { good: { text: 'curl https://example.test/login' }, untouched: true },
  'session.adoptToken': { good: { token: 'a' } },
  'sessions.token': { good: nobody, untouched: true },
  'sessions.copyToken': { good: { ...nobody, as: 'token' }, untouched: true },
  'sessions.choose': { good: nobody, untouched: true },
  'sessions.check': { good: nobody, untouched: true },
  'sessions.logout': { good: { ...nobody, tellServer: false }, untouched: true },
  'sessions.forget': { good: nobody, untouched: true },
  'sessions.revoke': { good: nobody, untouched: true },
  'sessions.logInAgain': { good: { serverId: 'nobody', email: 'a@example.test', password: 'x' } },
  'profile.picture': { good: { place: '/avatar' }, untouched: true },
  'profile.copy': { good: { of: 'rest', field: 'nobody' }, untouched: true },
  'servers.chooseAddress': { good: { address: 'x' } },
  'servers.choose': { good: nobody, untouched: true },
  'servers.create': { good: server },
  'servers.edit': { good: { ...nobody, ...server }, untouched: true },
  'servers.duplicate': { good: nobody, untouched: true },
  'servers.move': { good: { ...nobody, by: 1 }, untouched: true },
  'servers.remove': { good: nobody, untouched: true },
  'servers.allowOrigins': { good: { ...nobody, origins: ['http://localhost:5173'] }, untouched: true },
  'servers.confirmProduction': { good: { ...nobody, host: 'x' }, untouched: true },
  'servers.trust': { good: nobody, untouched: true },
  'servers.distrust': { good: nobody, untouched: true },
  'servers.test': { good: { ...nobody, address: 'x' } },
  'servers.chooseFile': { good: { purpose: 'key' } },
  'servers.importFile': { good: { again: true } },
  'interfaces.read': { good: { text: '{}' }, untouched: true },
  'interfaces.importDraft': { good: {}, untouched: true },
  'interfaces.saveImportDraft': {
    good: { json: '{}' },
  },
  'interfaces.discardImportDraft': { good: {} },
  'interfaces.runTrial': {
    good: { id: 'nobody', address: 'x', production: false, account: { is: 'typed', email: 'a', password: 'b' } },
    untouched: true,
  },
  'interfaces.textOf': { good: nobody, untouched: true },
  'calls.list': { good: { filter, offset: 0 }, untouched: true },
  'calls.get': { good: nobody, untouched: true },
  'calls.saveText': { good: nobody, untouched: true },
  'calls.pin': { good: { ...nobody, pinned: true }, untouched: true },
  'calls.copy': { good: { ...nobody, form: 'fetch', secrets: 'variables' }, untouched: true },
  'calls.exportHar': { good: { filter } },
  'calls.clear': { good: { pinnedToo: true } },
  'calls.editableRequest': { good: nobody, untouched: true },
  'calls.replay': {
    good: { ...nobody, request: { method: 'GET', path: ['/'], headers: [] }, secrets: { x: 'y' } },
    untouched: true,
  },
  'lock.unlock': { good: { pin: '0000' }, untouched: true },
  'lock.setPin': { good: { pin: '0000', current: '0000' } },
  'lock.removePin': { good: { current: '0000' }, untouched: true },
  'builtIn.setBehaviour': { good: { dialect: 'sanctum', defects: ['stack-traces'], faults: [], seed: 2 } },
  'builtIn.moveClock': { good: { to: 'now' } },
  'mocks.create': { good: { serverId: 'nobody', measure: false }, untouched: true },
  'mocks.recheck': { good: nobody, untouched: true },
  'mocks.compare': { good: nobody, untouched: true },
  'mocks.start': { good: nobody, untouched: true },
  'mocks.stop': { good: nobody, untouched: true },
  'mocks.details': { good: nobody, untouched: true },
  'mocks.moveClock': { good: { ...nobody, to: 'now' }, untouched: true },
  'mocks.setBehaviour': { good: { ...nobody, change: { defects: [] } }, untouched: true },
  'mocks.exportModel': { good: nobody, untouched: true },
  'builtIn.accounts': { good: { offset: 0, limit: 10 }, untouched: true },
  'builtIn.sessions': { good: { offset: 0, limit: 10 }, untouched: true },
  'builtIn.expire': { good: { id: 1 } },
  'builtIn.revoke': { good: { id: 1 } },
  'builtIn.reset': { good: { set: 'three', seed: 1 } },
  'demo.logInAs': { good: { id: 1 } },
  'checks.plan': {
    good: { serverId: 'built-in', options: { only: ['login.right-credentials'] } },
    untouched: true,
  },
  'checks.start': { good: { serverId: 'nobody', options: {} } },
  'checks.rerunCase': { good: { ...ofReport, caseId: 'login.right-credentials' }, untouched: true },
  'checks.evidence': { good: { ...ofReport, ...nobody }, untouched: true },
  'checks.copyCommand': { good: { ...ofReport, ...nobody }, untouched: true },
  'checks.exportFile': { good: { ...ofReport, form: 'html' }, untouched: true },
  'mocks.shareFinding': { good: { ...ofReport, findingId: 'plain-http' }, untouched: true },
  'checks.compare': { good: { ...ofReport, otherId: 'nobody' }, untouched: true },
  'checks.changes': { good: ofReport, untouched: true },
  'checks.compareFile': { good: ofReport, untouched: true },
  'checks.open': { good: { ...ofReport, number: 1 }, untouched: true },
  'checks.pin': { good: { ...ofReport, number: 1, pinned: true } },
  'checks.deleteReport': { good: { ...ofReport, number: 1 } },
  'checks.history': { good: ofReport, untouched: true },
  'checks.accept': { good: { ...ofReport, fault: 'finding:plain-http', reason: 'known' } },
  'checks.withdrawAcceptance': { good: { ...ofReport, fault: 'finding:plain-http' } },
  'settings.change': { good: { theme: 'dark' } },
};

/** These methods have no input and only look, or end what is not under way. They are called as they are, too. */
const looks: ReadonlySet<MethodName> = new Set([
  'app.state',
  'app.painted',
  'app.about',
  'app.licences',
  'servers.cancelTest',
  'interfaces.cancelTrial',
  'calls.count',
  'calls.cancelReplay',
  'builtIn.start',
  'builtIn.choices',
  'builtIn.requests',
  'builtIn.clientReport',
  'builtIn.counts',
  'builtIn.data',
  'checks.state',
  'updates.check',
  'updates.download',
  'updates.cancel',
  'updates.install',
  'checks.cancel',
  'storage.overview',
  'storage.diagnostics',
]);

/** The bridge may hand the value over as another one, so it is left to methods that change nothing whatever arrives. */
const mayChangeOnItsWay = (recipe: Recipe): boolean =>
  'within' in recipe ? mayChangeOnItsWay(recipe.value) : 'odd' in recipe;

const groups: Record<string, Record<string, Method>> = contract;

function isValid(name: MethodName, recipe: Recipe): boolean {
  const [group = '', method = ''] = name.split('.');
  try {
    return groups[group]![method]!.input.safeParse(makeValue(recipe)).success;
  } catch {
    // A getter throws.
    return false;
  }
}

type Call = { name: MethodName; recipe: Recipe };

const anyCall: fc.Arbitrary<Call> = fc.constantFrom(...methodNames).chain((name) => {
  const known = inputs[name];
  const untouched = known?.untouched === true || looks.has(name);
  return hardValue(known ? [JSON.stringify(known.good)] : [])
    .filter((recipe) => untouched || (!mayChangeOnItsWay(recipe) && !isValid(name, recipe)))
    .filter((recipe) => !usesRealId(recipe))
    .map((recipe) => ({ name, recipe }));
});

/** It names the one server that is there. */
const usesRealId = (recipe: Recipe): boolean => JSON.stringify(recipe).includes('built-in');

type Answer = { kind: 'not sendable' | 'ok' | 'no answer' } | { kind: 'refused'; error: string };

function makeCalls(page: Page, calls: Call[]): Promise<Answer[]> {
  return page.evaluate(
    async ({ calls: wanted, source, within }) => {
      // DevTools may evaluate texts, and the page may not.
      const make = eval(source) as (recipe: unknown) => unknown;
      const api = window.api as unknown as Record<string, Record<string, (input: unknown) => Promise<Result<unknown>>>>;
      return Promise.all(
        wanted.map(async ({ name, recipe }): Promise<Answer> => {
          const [group = '', method = ''] = name.split('.');
          let late: ReturnType<typeof setTimeout> | undefined;
          try {
            const asked = api[group]![method]!(make(recipe));
            const limit = new Promise<undefined>((resolve) => (late = setTimeout(() => resolve(undefined), within)));
            const answer = await Promise.race([asked, limit]);
            if (!answer) return { kind: 'no answer' };
            return answer.ok ? { kind: 'ok' } : { kind: 'refused', error: answer.error.kind };
          } catch {
            return { kind: 'not sendable' };
          } finally {
            clearTimeout(late);
          }
        }),
      );
    },
    { calls, source: `(${makeValue.toString()})`, within: ANSWER_WITHIN_MS },
  );
}

const stateOf = (page: Page): Promise<WindowState> =>
  page.evaluate(async () => {
    const answer = await window.api.app.state();
    if (!answer.ok) throw new Error('there is no state');
    return answer.value;
  });

/** Keeps what ends or is thrown without being caught in main from now on, for {@link faultsOf}. */
async function watchFaults(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ app: electronApp, dialog }) => {
    // Nobody is there to answer.
    dialog.showMessageBox = () => Promise.resolve({ response: 1, checkboxChecked: false });
    const faults: string[] = [];
    Object.assign(globalThis, { faultsOfProof: faults });
    process.on('unhandledRejection', (reason) => faults.push(`unhandled: ${String(reason)}`));
    process.on('uncaughtException', (error) => faults.push(`uncaught: ${String(error)}`));
    for (const gone of ['render-process-gone', 'child-process-gone'] as const)
      // The two events differ in what comes before the details, which are last.
      (electronApp as NodeJS.EventEmitter).on(gone, (...all) => faults.push(`crash: ${JSON.stringify(all.at(-1))}`));
  });
}

const faultsOf = (app: ElectronApplication): Promise<string[]> =>
  app.evaluate(() => (globalThis as unknown as { faultsOfProof: string[] }).faultsOfProof);

async function signIn(page: Page): Promise<void> {
  // An empty folder begins with the welcome.
  await page.evaluate(() => window.api.settings.change({ welcomed: true }));
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  const signedIn = await page.evaluate(() =>
    window.api.session.register({
      path: 'registro',
      name: 'Ana',
      email: 'ana@example.test',
      password: 'correct horse battery',
      cpassword: '',
    }),
  );
  if (!signedIn.ok) throw new Error(`Nobody could be logged in: ${signedIn.error.kind}`);
  await page.getByRole('heading', { name: 'Details' }).waitFor();
}

/** Counts an answer by what it is, and finds those that should not be. */
function count(answer: Answer, { name, recipe }: Call, summary: IpcSummary, find: (what: string) => void): void {
  const where = (): string => `${name} ${JSON.stringify(recipe).slice(0, 300)}`;
  const isBug = answer.kind === 'refused' && answer.error === 'bug';
  summary.calls++;
  if (answer.kind === 'not sendable') summary.notSendable++;
  else if (answer.kind === 'no answer') find(`no answer: ${where()}`);
  else if (isBug) summary.refused++;
  else summary.answered++;
  // A fault of ours would be answered the same way as a wrong shape.
  if (isBug && !mayChangeOnItsWay(recipe) && isValid(name, recipe)) find(`a good input met a fault: ${where()}`);
}

/**
 * Calls every method of the real application with inputs of any shape while somebody is logged in. Each call is
 * answered, none changes the state, nothing ends, and nothing is thrown in main that nobody catches.
 */
export async function proveIpc(options: {
  calls: number;
  seed: number;
  /** A folder for the profile. */
  folder: string;
  onProgress?: (summary: IpcSummary) => void;
}): Promise<IpcSummary> {
  const { calls, seed, folder, onProgress } = options;
  const summary: IpcSummary = {
    name: 'ipc',
    seed,
    calls: 0,
    methods: methodNames.length,
    refused: 0,
    notSendable: 0,
    answered: 0,
    crashes: 0,
    unhandled: 0,
    stateChanges: 0,
    findings: [],
  };
  const find = (what: string): void => {
    if (summary.findings.length < MOST_FINDINGS) summary.findings.push(what);
  };

  const app = await startApp({ userDataDir: folder });
  let isClosing = false;
  app.process().once('exit', (code, signal) => {
    if (isClosing) return;
    summary.crashes++;
    find(`main ended: ${code ?? signal}`);
  });
  try {
    // While main is still read, Playwright may lose what is asked of it ("Resulting promise was garbage collected").
    const page = await app.firstWindow();
    await watchFaults(app);
    await signIn(page);
    const before = await stateOf(page);

    for (let next = 0; summary.calls < calls && summary.crashes === 0; next++) {
      const batch = fc.sample(anyCall, { numRuns: Math.min(AT_ONCE, calls - summary.calls), seed: seed + next });
      const answers = await makeCalls(page, batch);
      for (const [index, answer] of answers.entries()) count(answer, batch[index]!, summary, find);
      const after = await stateOf(page);
      if (!isDeepStrictEqual(after, before)) {
        summary.stateChanges++;
        find(`the state changed: ${batch.map(({ name, recipe }) => `${name} ${JSON.stringify(recipe)}`).join('; ')}`);
        break;
      }
      onProgress?.(summary);
    }

    const faults = await faultsOf(app);
    for (const fault of faults) {
      if (fault.startsWith('crash')) summary.crashes++;
      else summary.unhandled++;
      find(fault);
    }
  } finally {
    isClosing = true;
    await app.close();
  }
  return summary;
}
