// This main process only answers what a test told it. The page, the preload script and the CSP are real, and there is
// no product behind them. Environment variables give it STUB_STATE as JSON, and STUB_DIST as the folder of the build.
import { app, BrowserWindow, ipcMain, protocol } from 'electron';
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseHeaders } from '../../../main/client/recording/format-command.ts';
import { shippedInterfaces } from '../../../main/interface/shipped.ts';
import demoDetails from '../../../main/service/data/demo-details.json' with { type: 'json' };
import { contract } from '../../../preload/contract/contract.ts';
import { methodNames } from '../../../preload/contract/channels.ts';
import { driven } from '../driven.mjs';
import { answerAbout } from '../written-answers.ts';
import { createStubBuiltInServer } from './built-in-server.ts';
import { policyOf } from './policy.ts';

const { company, ...withoutCompany } = demoDetails;

const dist = process.env['STUB_DIST'] ?? '';

/** It is loaded as the page's own scripts are, so that it is compiled once and not for each load. */
const axeFile = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));

const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' };

/** How late every answer and every script comes with `LLAVERO_TEST_LATE`, in milliseconds: this shows who waits for them. */
const lateness = Number(process.env['LLAVERO_TEST_LATE'] ?? 0);
const late = () => lateness > 0 && setTimeout(lateness);

/** Says the name of each method that begins to wait. */
const waiting = new EventEmitter();

/** Tests reach this object through `electronApp.evaluate`. */
const stub = {
  state: JSON.parse(process.env['STUB_STATE'] ?? '{}'),
  /** What the page asked, in the order it came, as `[method, input]`. */
  asked: [],
  /** Settled once the page has said that its first frame is painted. */
  painted: Promise.withResolvers(),
  /** What the page asked that nothing here answers. The test fails that left something here. */
  unanswered: [],
  /** By method, what it answers next: each is a Result, `{ state, value }` to come to that state, or `'hold'` to answer only on `release`. */
  answers: {},
  /** Whether every method waits for `release` or `releaseOldest`. */
  holding: false,
  /** What waits, the oldest first, as `{ name, answer }`; without a result, `answer` gives the usual one. */
  held: [],
  /** Recorded calls as `{ summary, recorded }`, newest first: the methods about them answer out of these. */
  calls: [],
  /** The checks, and what a run would send: the methods about them answer with these. */
  runs: { reports: [] },
  plan: undefined,
  /** Answers at last what waits for it, or will. */
  async release(name, result) {
    while (!stub.held.some((each) => each.name === name))
      await once(waiting, name, { signal: AbortSignal.timeout(30_000) });
    const index = stub.held.findIndex((each) => each.name === name);
    stub.held.splice(index, 1)[0].answer(result);
  },
  /** Answers what waits longest as usual, and says its name. */
  releaseOldest() {
    const oldest = stub.held.shift();
    oldest?.answer();
    return oldest?.name;
  },
  /** Forgets everything: the next page starts from this state. */
  reset(state, calls) {
    stub.state = state;
    stub.calls = calls;
    stub.runs = { reports: [] };
    stub.asked = [];
    stub.painted = Promise.withResolvers();
    stub.unanswered = [];
    stub.answers = {};
    stub.holding = false;
    stub.held = [];
    stub.builtInServer = makeBuiltInServer();
  },
  /** It answers the methods about the built-in server. */
  builtInServer: undefined,
  /** The page gets its scripts once this is resolved. */
  scripts: Promise.resolve(),
  mockDetails: {
    calls: 148,
    answers: 57,
    learned: [
      { rule: 'servesRegistro', value: { kind: 'flag', yes: true }, calls: 8 },
      { rule: 'passwordLeast', value: { kind: 'number', number: 8 }, calls: 2 },
      { rule: 'tokensPerAccount', value: { kind: 'choice', choice: 'many' }, calls: 4 },
      { rule: 'tokenSeconds', value: { kind: 'never' }, calls: 1 },
      { rule: 'failedLogins', value: { kind: 'limit', most: 5, windowSeconds: 60 }, calls: 6 },
      { rule: 'requiresCode', value: { kind: 'flag', yes: true }, calls: 3 },
      { rule: 'codeStepsBefore', value: { kind: 'number', number: 1 }, calls: 4 },
      { rule: 'wrongCodes', value: { kind: 'wrong-codes', most: 5, of: 'pending-login' }, calls: 6 },
      { rule: 'pendingLoginSeconds', value: { kind: 'number', number: 300 }, calls: 2 },
    ],
    notMeasured: ['passwordMost', 'registrations', 'deletionEndsTokens'],
    unmeasuredCases: [{ caseId: 'limits.throttling', reason: { kind: 'not-asked' } }],
    remarks: [
      { kind: 'text-differs', name: 'traza <b>No markup</b>' },
      { kind: 'length', rule: 'nameMost', least: 100, most: 254, calls: 8 },
      { kind: 'languages', calls: 43 },
    ],
    comparison: {
      before: { baseUrl: 'http://staging.example.test', startedAt: '2026-11-20T07:15:00.000Z', toolVersion: '0.1.0' },
      after: { baseUrl: 'http://127.0.0.1:4870', startedAt: '2026-11-20T07:16:00.000Z', toolVersion: '0.1.0' },
      compared: 61,
      differences: [
        { kind: 'outcome', caseId: 'login.wrong-password', before: 'passed', after: 'failed' },
        {
          kind: 'answer',
          caseId: 'login.answer',
          question: 'success-status',
          subject: 'login',
          before: { kind: 'status', status: 200 },
          after: { kind: 'status', status: 201 },
        },
        { kind: 'finding', change: 'new', id: 'plain-http', severity: 'medium', caseId: 'transport.encryption' },
      ],
      unknown: [],
    },
  },
  limits: { count: 500, bytes: 20_000_000 },
  storage: {
    folder: '/home/ana/.config/Llavero',
    parts: [
      { part: 'settings', files: 2, bytes: 5120 },
      { part: 'tokens', files: 2, bytes: 812 },
      { part: 'pin', files: 0, bytes: 0 },
      { part: 'accounts', files: 3, bytes: 4_211_000 },
      { part: 'snapshots', files: 0, bytes: 0 },
      { part: 'mocks', files: 4, bytes: 96_000 },
      { part: 'calls', files: 3, bytes: 19_400_000 },
      { part: 'reports', files: 3, bytes: 310_000 },
      { part: 'logs', files: 1, bytes: 1200 },
      { part: 'set-aside', files: 1, bytes: 700 },
      { part: 'picture', files: 0, bytes: 0 },
      { part: 'browser', files: 61, bytes: 8_120_000 },
    ],
  },
  /** Changes the state and tells the window. */
  change(part) {
    stub.state = { ...stub.state, ...part };
    stub.send(stub.state);
  },
  send(state) {
    for (const window of BrowserWindow.getAllWindows()) window.webContents.send('app.changed', state);
  },
  /** Says how far a check is. */
  step(step) {
    for (const window of BrowserWindow.getAllWindows()) window.webContents.send('checks.progressed', step);
  },
  /** Records these calls, the last one as the newest. */
  record(calls) {
    for (const call of calls) {
      stub.calls.unshift(call);
      for (const window of BrowserWindow.getAllWindows()) window.webContents.send('call.recorded', call.summary);
    }
    stub.count();
  },
  count() {
    for (const window of BrowserWindow.getAllWindows()) window.webContents.send('calls.counted', stub.calls.length);
  },
};
globalThis.stub = stub;

const makeBuiltInServer = () =>
  createStubBuiltInServer(
    () => stub.state,
    (part) => stub.change(part),
  );
stub.builtInServer = makeBuiltInServer();

const outcomes = {
  all: () => true,
  succeeded: ({ status, failure }) => failure === undefined && status < 400,
  refused: ({ status, failure }) => failure === undefined && status >= 400,
  failed: ({ failure }) => failure !== undefined,
};
const gone = { ok: false, error: { kind: 'not-now' } };

const ok = (value) => ({ ok: true, value });

/** A request as main gives it to be edited. */
function editableOf({ method, url, head, body } = { method: 'GET', url: ['https://shop.example.test/'] }) {
  const { origin } = new URL(url[0]);
  const headers = head ? parseHeaders(head.text).filter(({ name }) => !/^(?:host|connection)$/i.test(name)) : [];
  return { baseUrl: origin, method, path: [url[0].slice(origin.length), ...url.slice(1)], headers, body: body?.text };
}

const usualAnswers = {
  'app.state': () => ok(stub.state),
  'session.register': () => ok('logged-in'),
  'app.painted': () => ok({}),
  'app.about': () => ok({ system: 'Linux 6.1.0, x86_64', chromium: '148.0.1', node: '24.1.0' }),
  'app.licences': () =>
    ok({
      parts: [
        { name: '@fontsource-variable/inter', version: '5.3.0', licence: 'OFL-1.1', text: 0 },
        { name: 'react', version: '19.3.1', licence: 'MIT', text: 1 },
        { name: 'tslib', version: '2.8.1', licence: '0BSD' },
      ],
      texts: ['Copyright 2020 The Inter Project Authors\n\nSIL OPEN FONT LICENSE', 'MIT License\n\nCopyright (c) Meta'],
    }),
  'calls.list'({ filter, offset }) {
    const { search, serverId, outcome, checks, pinnedOnly } = filter;
    const found = stub.calls.filter(
      ({ summary, recorded }) =>
        outcomes[outcome](summary) &&
        (checks === 'with' || (checks === 'only') === (summary.contractRun !== undefined)) &&
        (!pinnedOnly || summary.pinned) &&
        (serverId === undefined || summary.serverId === serverId) &&
        JSON.stringify([summary, recorded]).toLowerCase().includes(search.toLowerCase()),
    );
    const calls = found.slice(offset, offset + 200).map(({ summary }) => summary);
    const byRun = Map.groupBy(found, ({ summary }) => summary.contractRun);
    const runs = [...byRun].flatMap(([contractRun, { length: count }]) =>
      contractRun === undefined ? [] : [{ contractRun, count }],
    );
    return { ok: true, value: { calls, total: found.length, more: offset + calls.length < found.length, runs } };
  },
  'calls.count': () => ok(stub.calls.length),
  'profile.picture': () => ok({ address: demoDetails.avatar }),
  'calls.get'({ id }) {
    const found = stub.calls.find(({ summary }) => summary.id === id);
    return found?.recorded ? ok(found.recorded) : gone;
  },
  'calls.pin'({ id, pinned }) {
    const found = stub.calls.find(({ summary }) => summary.id === id);
    if (!found) return gone;
    found.summary = { ...found.summary, pinned };
    return ok(found.summary);
  },
  'servers.edit': () => ok({ ended: 0, pendingLogouts: 0 }),
  'sessions.token': () =>
    ok({
      form: 'jwt',
      algorithm: 'HS256',
      claims: [
        { name: 'iss', value: { is: 'text', text: 'https://shop.example.test' } },
        { name: 'sub', value: { is: 'text', text: '1379505554728411138' } },
        { name: 'aud', value: { is: 'text', text: 'shop-web' } },
        {
          name: 'roles',
          value: {
            is: 'list',
            items: [
              { is: 'text', text: 'owner' },
              { is: 'text', text: 'billing' },
            ],
          },
        },
        { name: 'iat', value: { is: 'moment', at: '2026-11-20T08:01:02.000Z', isZoneSaid: true } },
        { name: 'exp', value: { is: 'moment', at: '2046-12-20T08:01:02.000Z', isZoneSaid: true } },
        { name: 'session_state', value: { is: 'secret' } },
      ],
    }),
  'sessions.copyToken': () => ok({ copied: true }),
  'servers.test': ({ address }) =>
    ok({ reached: true, baseUrl: address, status: 401, milliseconds: 12, answered: 'asks-for-token', secure: true }),
  'servers.importFile': () => ok({ outcome: 'cancelled' }),
  'sessions.logoutEverywhere': () => ok({ serverNotified: 18, pendingLogouts: 2, noLogout: 0 }),
  'profile.copy': () => ok({ copied: true }),
  'profile.exportFile': () => ok({ exported: true }),
  'profile.open': () => ok({ opened: true }),
  'profile.rawResponse': () =>
    ok({
      text: JSON.stringify({ data: { ...withoutCompany, api_key: null, company, avatar: undefined } }),
      leftOut: ['data.api_key'],
    }),
  'calls.editableRequest': ({ id }) =>
    ok(editableOf(stub.calls.find(({ summary }) => summary.id === id)?.recorded?.request)),
  /** Answers as the original was answered. */
  'calls.replay'({ id, request }) {
    const found = stub.calls.find(({ summary }) => summary.id === id);
    if (!found?.recorded) return gone;
    const replayOf = { id, ...(request && { change: 'edited' }) };
    const own = { id: `replay-${stub.calls.length}`, replayOf };
    const recorded = { ...found.recorded, ...own };
    stub.record([{ summary: { ...found.summary, ...own, pinned: false }, recorded }]);
    return { ok: true, value: { outcome: 'sent', call: recorded } };
  },
  'calls.limits': () => ok(stub.limits),
  'calls.setLimits'(limits) {
    stub.limits = limits;
    return ok(limits);
  },
  'calls.clear'({ serverId, pinnedToo }) {
    stub.calls = stub.calls.filter(
      ({ summary }) => (serverId !== undefined && summary.serverId !== serverId) || (summary.pinned && !pinnedToo),
    );
    stub.count();
    return { ok: true, value: { calls: [], total: 0, more: false, runs: [] } };
  },
  'checks.evidence': (input) => usualAnswers['calls.get'](input),
  'checks.plan': () => ok(stub.plan),
  'checks.state': () => ok(stub.runs),
  'checks.start': () => ok(stub.runs),
  'checks.cancel': () => ok(stub.runs),
  'checks.rerunCase': () => ok(stub.runs),
  'checks.pin': () => ok(stub.runs),
  'checks.deleteReport': () => ok(stub.runs),
  'checks.accept': () => ok(stub.runs),
  'checks.withdrawAcceptance': () => ok(stub.runs),
  'demo.reset': () => ok({ id: 's1' }),
  'servers.move': ({ id, by }) => ok({ place: stub.state.servers.findIndex((each) => each.id === id) + by + 1 }),
  'mocks.create': () => ok({ id: 'mock-00000000-0000-4000-8000-000000000001' }),
  'mocks.recheck': ({ id }) => ok({ id }),
  'mocks.exportModel': () => ok({ exported: true }),
  'mocks.importModel': () => ok({}),
  'interfaces.importDraft': () => ok({}),
  'interfaces.find': async ({ text }) => ok(await answerAbout('find', text)),
  'interfaces.findInFile': () => ok({}),
  'mocks.details': () => ok(stub.mockDetails),
  'interfaces.read': async ({ text }) => ok(await answerAbout('read', text)),
  'interfaces.shipped': async () => ok(await shippedInterfaces()),
  'interfaces.textOf': () => ok({}),
  'interfaces.runTrial': () => ok({ works: false, calls: [], proposals: [] }),
  'interfaces.cancelTrial': () => ok({}),
  'storage.overview': () => ok(stub.storage),
  'storage.diagnostics': () => ok({ text: 'Llavero: 0.1.0\n' }),
};

/** What a method answers that was given no answer. What answers nothing does so by itself; nothing else is made up. */
function usualAnswer(name, input) {
  const [group, method] = name.split('.');
  const answer = usualAnswers[name] ?? (group === 'builtIn' ? stub.builtInServer[method] : undefined);
  if (answer) return answer(input);
  if (!contract[group][method].hasOutput) return ok(null);
  stub.unanswered.push(name);
  throw new Error(`The stub has no answer for ${name}: add one to usualAnswers in main.mjs`);
}

/** Tells the state that a method comes to before it answers, as main does. */
function settled(given, name, input) {
  if (!given?.state) return given ?? usualAnswer(name, input);
  stub.state = given.state;
  stub.send(given.state);
  return ok(given.value ?? null);
}

for (const name of methodNames) {
  const answer = async (input) => {
    stub.asked.push([name, input]);
    if (name === 'app.painted') stub.painted.resolve(undefined);
    const given = stub.answers[name]?.shift();
    if (given === 'hold' || (!given && stub.holding)) {
      return new Promise((resolve) => {
        stub.held.push({ name, answer: (result) => resolve(settled(result, name, input)) });
        waiting.emit(name);
      });
    }
    await late();
    return settled(given, name, input);
  };
  ipcMain.handle(name, async ({ sender }, id, input) => {
    const result = await answer(input);
    sender.send('app.answered', { id, result });
  });
}

// The code cache saves a quarter of each of some thousand loads of the page.
protocol.registerSchemesAsPrivileged([
  { scheme: 'app', privileges: { standard: true, secure: true, codeCache: true } },
]);

/** This is not awaited at top level, since an ESM main that does so never gets ready. */
async function open() {
  await Promise.all([app.whenReady(), driven]);
  protocol.handle('app', async (request) => {
    const { pathname } = new URL(request.url);
    const file =
      pathname === '/axe.js' ? axeFile : path.join(dist, 'renderer', pathname === '/' ? 'index.html' : pathname);
    const headers = { 'Content-Type': types[path.extname(file)] ?? 'application/octet-stream' };
    if (file.endsWith('.js')) await Promise.all([stub.scripts, late()]);
    const body = await readFile(file);
    if (!file.endsWith('.html')) return new Response(body, { headers });
    const nonce = randomBytes(16).toString('base64');
    return new Response(body.toString('utf8').replaceAll('__CSP_NONCE__', nonce), {
      headers: { ...headers, 'Content-Security-Policy': policyOf(nonce) },
    });
  });
  const window = new BrowserWindow({
    width: 1000,
    height: 700,
    useContentSize: true,
    webPreferences: { preload: path.join(dist, 'preload', 'index.cjs'), sandbox: true, contextIsolation: true },
  });
  await window.loadURL('app://llavero/');
}

void open();
