import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { MockServerInfo } from '../../../preload/contract/local-servers.ts';
import type { Server } from '../../../preload/contract/models.ts';
import { RunOptions } from '../../../preload/contract/report.ts';
import { createKnownSecrets } from '../../../main/client/secrets/known-secrets.ts';
import { createStoredInterface } from '../../../main/account/servers/interface-form.ts';
import { formatMockFile } from '../../../main/check/mock-generator/generate-mock.ts';
import { measureAndLearn, startOriginal, type Haste } from '../../prove/mocks.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { standingClock } from '../support/run-check.ts';
import { cheapArgon2 } from '../support/make-service.ts';
import { mainWith } from '../support/main-with-runs.ts';
import { serviceAt, shipped } from '../support/service-at.ts';

const only = [
  'login.right-credentials',
  'login.wrong-password',
  'profile.answer',
  'logout.same-token-afterwards',
] as const;
const options = RunOptions.parse({ callsPerSecond: 100, only: [...only] });
const haste: Haste = { argon2: cheapArgon2, clock: standingClock(), options: { only: [...only] } };

async function original(name = 'dialect:sanctum') {
  const started = await startOriginal(name, haste);
  onTestFinished(started.close);
  return started;
}

async function mainOf(more: Parameters<typeof mainWith>[1] = {}) {
  const { baseUrl, close } = await original();
  const main = await mainWith({ staging: { baseUrl } }, more);
  const { servers, service } = main.config.get();
  const colour: Server['colour'] = 'teal';
  main.config.change({
    service: { ...service, argon2: cheapArgon2 },
    servers: servers.map((each) => (each.id === 'staging' ? Object.assign({}, each, { colour }) : each)),
  });
  onTestFinished(() => main.mockServers[Symbol.asyncDispose]());
  const list = (): Server[] => main.application.state.get().servers;
  const mockOf = (id: string): MockServerInfo | undefined => list().find((each) => each.id === id)?.mock;
  return { main, baseUrl, closeOriginal: close, list, mockOf, mocks: main.handlers.mocks };
}

type Made = Awaited<ReturnType<typeof mainOf>>;

async function made(of: Made): Promise<string> {
  await of.main.run('staging', options);
  const result = await of.mocks.create({ serverId: 'staging', measure: false });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value.id;
}

const compared = async ({ mockOf }: Made, id: string): Promise<void> => {
  await vi.waitFor(() => expect(mockOf(id)?.verification.state).toBe('compared'), { timeout: 30_000 });
};

/** The model of a server, in a file, as another computer sends it. */
async function modelFile(change: (text: string) => string = (text) => text): Promise<string> {
  const { baseUrl } = await original('dialect:spring');
  const { model } = await measureAndLearn(baseUrl, haste);
  const file = path.join(await makeTemporaryFolder(), 'model.json');
  writeFileSync(file, change(formatMockFile(model)));
  return file;
}

describe('a mock server in the application', () => {
  it('is made of a run, stands after its original, has its colour, and differs in nothing', async () => {
    const of = await mainOf();
    const { main, baseUrl, list, mockOf, mocks } = of;
    const id = await made(of);
    expect(list().map((each) => each.id)).toEqual(['built-in', 'staging', id]);
    expect(list()[2]).toMatchObject({
      name: 'Mock of staging',
      colour: 'teal',
      production: false,
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      mock: { of: 'staging', originUrl: baseUrl, originId: 'staging', run: { state: 'running' } },
    });
    await compared(of, id);
    expect(mockOf(id)?.verification).toMatchObject({ differences: 0 });
    const details = await mocks.details({ id });
    expect(details).toMatchObject({ ok: true, value: { comparison: { differences: [] }, unmeasuredCases: [] } });
    if (!details.ok) return;
    expect(details.value.calls).toBeGreaterThan(3);
    expect(details.value.notMeasured).toContain('failedLogins');
    expect(details.value.learned.map(({ rule }) => rule)).toContain('nameMost');
    const folder = path.join(main.folder, 'mocks', id);
    expect(readdirSync(folder).filter((name) => !/-(?:wal|shm)$/.test(name))).toEqual([
      'comparisons.json',
      'model.json',
      'original.json',
      'service.sqlite',
    ]);
    expect(statSync(folder).mode & 0o077).toBe(0);
    expect(statSync(path.join(folder, 'model.json')).mode & 0o077).toBe(0);
  });

  it('takes a registration and a login while the original is away, and is there again after a restart', async () => {
    const store = {};
    const of = await mainOf({ store });
    const { main, closeOriginal, mocks, mockOf, list } = of;
    const id = await made(of);
    await compared(of, id);
    await closeOriginal();
    await main.servers.choose({ id });
    const person = { name: 'Ada', email: 'ada@example.test', password: 'analytical engine' };
    const registered = await main.session.logins.register({
      path: 'registro',
      ...person,
      cpassword: '',
      remember: true,
    });
    expect(registered).toMatchObject({ ok: true });
    expect(main.application.state.get().session).toMatchObject({ step: 'signed-in', user: { email: person.email } });
    const port = new URL(list()[2]!.baseUrl).port;
    await mocks.stop({ id });
    expect(mockOf(id)?.run).toEqual({ state: 'stopped' });
    expect(list()[2]?.baseUrl).toBe('');
    // The next use starts it again where it was.
    const login = await main.session.logins.login({ ...person, remember: true });
    expect(login).toMatchObject({ ok: true });
    expect(new URL(list()[2]!.baseUrl).port).toBe(port);
    const known = await mainWith({}, { store, folder: main.folder });
    expect(known.application.state.get().servers[2]).toMatchObject({
      id,
      mock: { run: { state: 'stopped' }, verification: { state: 'compared', differences: 0 } },
    });
  });

  it('speaks the interface of its original, to the window and to others, also when it is measured again', async () => {
    const description = await shipped('better-auth-bearer');
    const { baseUrl } = await serviceAt({ ...description, outputs: { token: '$response.body#/token' } });
    const text = JSON.stringify({ ...description, outputs: { token: '$response.body#/token' } });
    const stored = createStoredInterface(text, baseUrl, {});
    if (!stored.ok) throw new Error(JSON.stringify(stored.error));
    const of = await mainOf();
    const { main, mocks, list } = of;
    main.config.change({
      servers: main.config
        .get()
        .servers.map((each) =>
          each.id === 'staging' ? Object.assign({}, each, { baseUrl, interface: stored.value.interface }) : each,
        ),
    });
    const id = await made(of);
    await compared(of, id);
    expect(of.mockOf(id)?.verification).toMatchObject({ differences: 0 });
    const mockServer = (): Server => list().find((each) => each.id === id)!;
    const registersAndAnswers = async (email: string): Promise<void> => {
      expect(mockServer().interface.name).toBe(description.name);
      await main.servers.choose({ id });
      const person = { name: 'Ada', email, password: 'analytical engine' };
      const registered = await main.session.logins.register({
        path: 'registro',
        ...person,
        cpassword: '',
        remember: true,
      });
      expect(registered).toMatchObject({ ok: true });
      const body = JSON.stringify({ email, password: person.password });
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(`${mockServer().baseUrl}/api/auth/sign-in/email`, { method: 'POST', headers, body });
      expect(await answer.json()).toMatchObject({ token: expect.any(String) });
    };
    await registersAndAnswers('one@example.test');
    expect(await mocks.recheck({ id })).toMatchObject({ ok: true });
    await registersAndAnswers('two@example.test');
  });

  it('is never made of production, nor of another path there, nor without the run in memory', async () => {
    const of = await mainOf();
    const { main, mocks, baseUrl } = of;
    const refused = (problem: string) => ({ ok: false, error: { kind: 'mock-refused', problem } });
    expect(await mocks.create({ serverId: 'staging', measure: false })).toMatchObject(refused('no-run'));
    await main.run('staging', options);
    main.checks.lock();
    expect(await mocks.create({ serverId: 'staging', measure: false })).toMatchObject(refused('no-run'));
    expect(main.application.state.get().mockCreation).toMatchObject({ serverId: 'staging', work: { step: 'failed' } });
    await mocks.cancel();
    expect(main.application.state.get().mockCreation).toBeUndefined();
    main.mark('staging', true);
    expect(await mocks.create({ serverId: 'staging', measure: true })).toMatchObject(refused('production'));
    await main.servers.chooseAddress({ address: `${baseUrl}/elsewhere` });
    const other = main.application.state.get().activeServerId;
    main.mark(other, false);
    expect(await mocks.create({ serverId: other, measure: true })).toMatchObject(refused('production'));
    expect(existsSync(path.join(main.folder, 'mocks'))).toBe(false);
  });

  it('measures first where that is wanted, and says how far it is', async () => {
    const of = await mainOf();
    const { main, mocks, mockOf } = of;
    main.config.change({ settings: { ...main.config.get().settings, callsPerSecond: 100 } });
    const steps: unknown[] = [];
    const making = mocks.create({ serverId: 'staging', measure: true });
    await main.when(({ running }) => (running?.progress.casesDone ?? 0) > 0);
    steps.push(main.application.state.get().mockCreation?.work);
    expect(steps).toMatchObject([{ step: 'measuring' }]);
    expect(await mocks.create({ serverId: 'staging', measure: true })).toMatchObject({
      ok: false,
      error: { kind: 'mock-refused', problem: 'already-running' },
    });
    await mocks.cancel();
    expect(await making).toMatchObject({ ok: false, error: { kind: 'cancelled' } });
    expect(main.application.state.get().mockCreation).toBeUndefined();
    expect(mockOf('staging')).toBeUndefined();
  });

  it('goes with its accounts, its folder and its sessions', async () => {
    const of = await mainOf();
    const { main, mocks } = of;
    const id = await made(of);
    await main.servers.choose({ id });
    const person = { name: 'Ada', email: 'ada@example.test', password: 'analytical engine' };
    await main.session.logins.register({ path: 'registro', ...person, cpassword: '', remember: true });
    expect(main.application.state.get().sessions).toHaveLength(1);
    expect(await main.handlers.servers.remove({ id })).toMatchObject({ ok: true });
    const { servers, sessions, activeServerId } = main.application.state.get();
    expect([servers.map((each) => each.id), sessions, activeServerId]).toEqual([
      ['built-in', 'staging'],
      [],
      'built-in',
    ]);
    expect(readdirSync(path.join(main.folder, 'mocks'))).toEqual([]);
    expect(await mocks.start({ id })).toMatchObject({ ok: false });
  });

  it('comes from a file, and a bad one gets one sentence and serves nothing', async () => {
    const file = await modelFile();
    const of = await mainOf({ file });
    const { main, mocks, mockOf } = of;
    const result = await mocks.importModel();
    if (!result.ok || result.value.id === undefined) throw new Error(JSON.stringify(result));
    const { id } = result.value;
    expect(mockOf(id)).toMatchObject({ run: { state: 'running' }, verification: { state: 'from-file' } });
    expect(await mocks.details({ id })).toMatchObject({ ok: true });
    expect(await mocks.recheck({ id })).toMatchObject({
      error: { kind: 'mock-refused', problem: 'no-original' },
    });
    const text = readFileSync(file, 'utf8');
    const exported = await mocks.exportModel({ id });
    expect([exported, readFileSync(file, 'utf8')]).toEqual([{ ok: true, value: { exported: true } }, text]);
    const bad: [text: string | Buffer, reason: string][] = [
      ['no json', 'not-json'],
      [text.replace('"version": 1', '"version": 2'), 'other-version'],
      [Buffer.alloc(50 * 1024 * 1024, ' '), 'too-large'],
      [`{"schema":"llavero-model","version":1,"a":${'['.repeat(100)}${']'.repeat(100)}}`, 'too-deep'],
      ['{"schema":"llavero-model","version":1,"__proto__":{}}', 'forbidden-name'],
      ['{"schema":"llavero-model","version":1}', 'not-a-model'],
      ['{"schema":"llavero-report"}', 'report-without-model'],
    ];
    for (const [content, reason] of bad) {
      writeFileSync(file, content);
      expect(await mocks.importModel()).toMatchObject({ ok: false, error: { kind: 'import-refused', reason } });
    }
    expect(main.application.state.get().servers).toHaveLength(3);
    expect(readdirSync(path.join(main.folder, 'mocks'))).toEqual([id]);
  });

  it('is learned again, keeps its accounts, and says what changed since', async () => {
    const of = await mainOf();
    const { main, mocks, mockOf } = of;
    const id = await made(of);
    await compared(of, id);
    const { measuredAt } = mockOf(id)!;
    main.config.change({ settings: { ...main.config.get().settings, callsPerSecond: 100 } });
    expect(await mocks.recheck({ id })).toEqual({ ok: true, value: { id } });
    expect(mockOf(id)?.verification.state).toBe('running');
    expect(mockOf(id)?.measuredAt).not.toBe(measuredAt);
    const details = await mocks.details({ id });
    expect(details).toMatchObject({ ok: true, value: { changes: { differences: [] } } });
    await of.main.mockServers[Symbol.asyncDispose]();
  }, 60_000);

  it('has a clock and wrongs of its own', async () => {
    const of = await mainOf();
    const { mocks, mockOf, main } = of;
    const id = await made(of);
    expect(await mocks.moveClock({ id, to: 'hour' })).toMatchObject({ ok: true });
    expect(mockOf(id)?.clockAheadMs).toBe(3_600_000);
    expect(await mocks.setBehaviour({ id, change: { defects: ['stack-traces'] } })).toMatchObject({ ok: true });
    expect(mockOf(id)?.behaviour).toMatchObject({ isOn: true, defects: ['stack-traces'] });
    expect(main.application.state.get()).toMatchObject({ clockAheadMs: 0, behaviour: { isOn: false } });
  });

  it('leaves no secret of the run in its folder', async () => {
    const of = await mainOf();
    const { main } = of;
    const id = await made(of);
    await compared(of, id);
    const run = main.checks.lastCheckData('staging')!;
    const known = createKnownSecrets<string>();
    const secrets = run.secretRegistry.registered().map(({ value }) => value);
    expect(secrets.length).toBeGreaterThan(3);
    for (const secret of secrets) known.add(secret, secret);
    const folder = path.join(main.folder, 'mocks', id);
    for (const name of readdirSync(folder)) {
      expect([name, known.find(readFileSync(path.join(folder, name), 'latin1')).map(({ of: what }) => what)]).toEqual([
        name,
        [],
      ]);
    }
  });
});
