import * as fc from 'fast-check';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Application } from '../../main/application.ts';
import { handleRequest } from '../../main/window/ipc/handle-request.ts';
import { contract, type MethodName } from '../../preload/contract/contract.ts';
import type { Method } from '../../preload/contract/method.ts';
import { methodNames } from '../../preload/contract/channels.ts';
import type { Result } from '../../preload/contract/result.ts';
import type { TestIdentity } from '../support/certificates.ts';
import { startHostileHost, type HostileHost } from './hostile-host.ts';
import { hostileInput, type Known } from './hostile-inputs.ts';
import {
  copyOf,
  gateValue,
  makeProfileFolder,
  openPageMain,
  refusingPerson,
  typedPassword,
  type Profile,
} from './page-main.ts';
import { startVictim, type Victim } from './victim.ts';

const MOST_FINDINGS = 10;
/** A call that waits for an answer is not waited for longer; what it sends is seen all the same. */
const CALL_WITHIN_MS = 2_000;

export type PageSummary = {
  name: 'page';
  seed: number;
  methods: number;
  /** Calls in a row. */
  length: number;
  rows: number;
  /** The number of calls that were answered and did not fail. */
  succeeded: number;
  /** The number of questions and of dialogs for files that were put to the person, who refused them all. */
  refused: number;
  findings: string[];
};

type Call = { name: MethodName; input: unknown };

const groups: Record<string, Record<string, Method>> = contract;

/** Calls a method as the window does. */
async function callAsPage({ handlers, state }: Application, { name, input }: Call): Promise<Result<unknown>> {
  const [group = '', method = ''] = name.split('.');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Walked by name, the pairs of input and handler are lost; `answer` parses each input.
  const handlerOf = handlers as unknown as Record<string, Record<string, (input: unknown) => Promise<Result<unknown>>>>;
  const handler = handlerOf[group]![method]!;
  const late = new Promise<Result<unknown>>((resolve) => {
    setTimeout(() => resolve({ ok: false, error: { kind: 'cancelled' } }), CALL_WITHIN_MS).unref();
  });
  return Promise.race([handleRequest(groups[group]![method]!, handler, input, () => 'bug', state.isLocked), late]);
}

/** Everything that an attacker in the page knows or would like to use, by the name of the field. */
function knownTo({ parts }: Application, { evil, evilPin, victims }: Scene): Known {
  const { config, sessionStore } = parts;
  const addresses = victims.map(({ baseUrl }) => baseUrl);
  const servers = config.get().servers.map(({ id }) => id);
  const proxies = [
    { mode: 'manual', address: `http://${evil.host}`, username: '', noProxy: '' },
    { mode: 'manual', address: `https://${evil.host}`, username: 'ana', noProxy: '' },
    { mode: 'manual', address: `socks5://${evil.host}`, username: '', noProxy: '' },
    { mode: 'pac', url: `http://${evil.host}/x.pac` },
    { mode: 'pac', url: 'file:///etc/hostname' },
    { mode: 'none' },
    { mode: 'system' },
  ];
  const limits = { connectSeconds: '1', firstByteSeconds: '1', totalSeconds: '1' };
  const connection = (proxy: unknown, authorityFile = '') => ({
    proxy,
    authorityFile,
    clientCertificate: { form: 'none' },
    limits,
    secrets: {},
  });
  return {
    serverId: servers,
    sessionId: sessionStore.all().map(({ id }) => id),
    otherId: servers,
    address: [`http://${evil.host}`, `https://${evil.host}`, evil.host, ...addresses, ...addresses],
    enteredConnection: [
      ...proxies.map((proxy) => connection(proxy)),
      ...proxies.map((proxy) => ({ ...connection(proxy), headers: [{ name: 'X-Gate', value: '' }] })),
      connection(proxies[0], '/etc/ssl/cert.pem'),
    ],
    sha256: [evilPin],
    email: ['eve@evil.test'],
    password: ['what the page made up'],
    pin: ['0000'],
    options: [{ only: ['login.right-credentials'], callsPerSecond: 100 }],
  };
}

/** What `id` means, by group: the ids of sessions, of recorded calls and of servers are known to the page. */
async function idsOf({ parts }: Application): Promise<Partial<Record<string, string[]>>> {
  const filter = { search: '', outcome: 'all', checks: 'with', pinnedOnly: false } as const;
  const listed = (await parts.calls.calls()).list(filter, 0);
  const calls = listed.ok ? listed.value.calls.map(({ id }) => id) : [];
  const servers = parts.config.get().servers.map(({ id }) => id);
  return {
    sessions: parts.sessionStore.all().map(({ id }) => id),
    calls,
    contractRun: calls,
    servers: servers.filter((id) => id !== 'built-in'),
  };
}

/** What the person does afterwards: every session is looked at and told, and they log in with what they type. */
async function goOn({ parts }: Application): Promise<void> {
  const { session, sessionStore, config, lock, checks: runs } = parts;
  await runs.handlers.cancel(undefined);
  if (parts.state.isLocked()) await lock.unlock('0000');
  for (const { id, loggedOutAt } of sessionStore.all()) {
    session.operations.abandon();
    await (loggedOutAt === undefined ? session.check(id) : session.revoke(id));
  }
  session.operations.abandon();
  if (config.get().activeServerId !== 'built-in') {
    await session.logins.login({ email: 'ana@example.test', password: typedPassword });
  }
  for (const { id } of sessionStore.all()) {
    session.operations.abandon();
    await session.logout(id, true);
  }
  // They look whether each server answers, as it is set by now.
  for (const { id, baseUrl } of config.get().servers) {
    if (id !== 'built-in') await parts.servers.drafts.test({ id, address: baseUrl });
  }
}

/**
 * A page under an attacker's control makes calls in a row, each row on a profile with sessions, and the person goes on
 * afterwards, refusing every question. No token and no password may reach the attacker's host, no answer may hold a
 * token, no session may get another address or another way, and no question may come twice.
 * @param options.rows how many rows; with `length` 2, all pairs of methods come first, in either order
 */
export async function provePage(options: {
  rows: number;
  length: number;
  seed: number;
  folder: string;
  evilIdentity: TestIdentity;
  bankIdentity: TestIdentity;
  /** Only methods of these groups. */
  groups?: readonly string[] | undefined;
  onProgress?: (summary: PageSummary) => void;
}): Promise<PageSummary> {
  const { rows, length, seed, folder, evilIdentity, bankIdentity, onProgress } = options;
  const names = methodNames.filter((name) => options.groups?.includes(name.split('.')[0] ?? '') ?? true);
  const summary: PageSummary = {
    name: 'page',
    seed,
    methods: names.length,
    length,
    rows: 0,
    succeeded: 0,
    refused: 0,
    findings: [],
  };
  const evil = await startHostileHost(evilIdentity);
  const [shop, bank, gate] = await Promise.all([
    startVictim('127.0.0.2'),
    startVictim('127.0.0.3', bankIdentity),
    startVictim('127.0.0.5'),
  ]);
  const profile = await makeProfileFolder(join(folder, 'profile'), { shop, bank, gate }, bankIdentity.sha256);
  const rowOf = createRows(names, length, seed);
  const scene: Scene = {
    evil,
    evilPin: evilIdentity.sha256,
    victims: [shop, bank, gate],
    summary,
    find(what) {
      if (summary.findings.length < MOST_FINDINGS) summary.findings.push(what);
    },
  };

  try {
    for (let index = 0; index < rows; index += 1) {
      const spoilt = await copyOf(profile, join(folder, `row-${index}`));
      await playRow(scene, spoilt, rowOf(index), seed + index);
      await rm(spoilt.folder, { recursive: true, force: true });
      summary.rows += 1;
      onProgress?.(summary);
    }
    if (gate.passed() === 0) scene.find('no call brought the extra header, so nothing was proved of it');
  } finally {
    for (const each of [evil, shop, bank, gate]) each.close();
  }
  return summary;
}

/** The methods of each row, by its number. */
function createRows(names: readonly MethodName[], length: number, seed: number): (index: number) => MethodName[] {
  const every = length === 2 ? names.flatMap((first) => names.map((second) => [first, second])) : [];
  const order = fc.sample(fc.shuffledSubarray(every, { minLength: every.length }), { numRuns: 1, seed })[0] ?? [];
  const any = fc.array(fc.constantFrom(...names), { minLength: length, maxLength: length });
  return (index) => order[index] ?? fc.sample(any, { numRuns: 1, seed: seed + index })[0] ?? [];
}

type Scene = {
  evil: HostileHost;
  evilPin: string;
  victims: readonly Victim[];
  summary: PageSummary;
  find: (what: string) => void;
};

async function playRow(scene: Scene, profile: Profile, names: readonly MethodName[], seed: number): Promise<void> {
  const { evil, victims, summary, find } = scene;
  const person = refusingPerson();
  const { application, copied } = await openPageMain(profile, person.dialogs, evil.host);
  // Its password is known from now on, as it is after every login.
  await application.parts.session.logins.login({ email: 'ana@example.test', password: typedPassword });
  const before = waysOf(application);
  const heard = evil.received().length;
  const calls: Call[] = [];
  const said: string[] = [];
  for (const [index, name] of names.entries()) {
    const known = knownTo(application, scene);
    const { [name.split('.')[0] ?? '']: id = ['nobody'] } = await idsOf(application);
    const call = { name, input: hostileInput(name, id.length > 0 ? { ...known, id } : known, seed * 31 + index) };
    calls.push(call);
    const result = await callAsPage(application, call);
    if (result.ok) summary.succeeded += 1;
    said.push(JSON.stringify(result));
  }
  const after = Object.entries(waysOf(application));
  const changed = after.filter(([id, way]) => before[id] !== undefined && before[id] !== way);
  await goOn(application);
  await application.close();

  const where = JSON.stringify(calls).slice(0, 2_000);
  const reached = evil.received().slice(heard);
  const secrets = victims.flatMap(({ given }) => given).flatMap((token) => [token, token.split('|')[1]!]);
  const leaks = (text: string): boolean => secrets.some((secret) => text.includes(secret));
  if (reached !== '') find(`something reached the attacker, to whom nobody agreed: ${where}`);
  if (leaks(reached)) find(`a token reached the attacker: ${where}`);
  if (reached.includes(typedPassword)) find(`a password reached the attacker: ${where}`);
  if (reached.includes(gateValue)) find(`an extra header reached the attacker: ${where}`);
  if ([...said, ...copied].some((text) => text.includes(gateValue))) find(`an answer holds a header's value: ${where}`);
  if (leaks(said.join()) || leaks(copied.join())) find(`an answer holds a token: ${where}`);
  if (changed.length > 0) find(`a session goes elsewhere: ${where}`);
  if (person.mostOpen() > 1) find(`two questions at a time: ${where}`);
  if (new Set(person.asked).size < person.asked.length) find(`the same question twice: ${where}`);
  if (person.asked.filter((each) => each.includes('new-origin')).length > 3) find(`more than three origins: ${where}`);
  summary.refused += person.asked.length;
}

/** Where the token of each session goes, and over which connection. */
const waysOf = ({ parts }: Application): Record<string, string> =>
  Object.fromEntries(
    parts.sessionStore.all().map(({ id, serverId, baseUrl }) => {
      const server = parts.config.get().servers.find((each) => each.id === serverId);
      return [id, JSON.stringify([baseUrl, server?.baseUrl, server?.connection, server?.pins])];
    }),
  );
