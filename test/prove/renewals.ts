import { setTimeout as delay } from 'node:timers/promises';
import type { AppError } from '../../preload/contract/result.ts';
import type { ConnectionInput } from '../../preload/contract/connection.ts';
import { createApplication } from '../../main/application.ts';
import { Config, createStoredServer } from '../../main/account/config/config.ts';
import { createConfigStore } from '../../main/account/config/config-store.ts';
import { renewingDescription, startRenewingServer, type Served } from '../support/renewing-server.ts';
import { portsWithoutWindow, refusingPerson } from './page-main.ts';
import { createSeededRandom } from './random.ts';

const second = 1000;

/** How a session is carried, and whether the server says when its access token ends. */
const kinds = {
  'cookie-told': { kind: 'cookie', tellsEnd: true },
  'cookie-untold': { kind: 'cookie', tellsEnd: false },
  'bearer-told': { kind: 'bearer', tellsEnd: true },
  'bearer-untold': { kind: 'bearer', tellsEnd: false },
} as const;
type Kind = keyof typeof kinds;

export type RenewalsSummary = {
  name: 'renewals';
  seconds: number;
  /** Checks of a profile by the application, and those that could not confirm the session then. */
  checks: number;
  unconfirmed: number;
  servers: Record<Kind, Served>;
  sessionsEnded: number;
  logInsAskedFor: number;
  /** Log-outs that the server knows of in the end. */
  told: number;
  findings: string[];
};

/** Time as it is, or as a test lets it pass. */
export type Time = { now: () => number; sleep: (ms: number) => Promise<void> };

const realTime: Time = { now: () => Date.now(), sleep: (ms) => delay(ms) };

const direct: ConnectionInput = {
  proxy: { mode: 'none' },
  authorityFile: '',
  clientCertificate: { form: 'none' },
  limits: { connectSeconds: '', firstByteSeconds: '', totalSeconds: '' },
  secrets: {},
};

/**
 * Holds a session at each of four servers with access tokens of 30 seconds, refresh tokens that are taken once and whose
 * second use ends the session, a token against forged requests that lives one minute, and 5 % of answers that are 503. The
 * application itself, without a window, checks each profile every few seconds, and logs out at the end.
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- It is one hour in its order.
export async function proveRenewals(options: {
  folder: string;
  seconds: number;
  seed: number;
  time?: Time;
  /** Called after each minute. */
  onProgress?: (summary: RenewalsSummary) => void;
}): Promise<RenewalsSummary> {
  const { folder, seconds, seed, time = realTime, onProgress } = options;
  const random = createSeededRandom(seed);
  await using stack = new AsyncDisposableStack();
  const lives = { accessMs: 30 * second, csrfMs: 60 * second, faults: 0.05, random, now: time.now };
  const names = Object.keys(kinds) as Kind[];
  const servers = await Promise.all(
    names.map(async (name) => {
      const server = await startRenewingServer({ ...kinds[name], ...lives });
      stack.defer(() => server.close());
      return { name, server };
    }),
  );
  const dialogs = { ...refusingPerson().dialogs, confirm: async () => true };
  const store = {};
  const fileless = createConfigStore(
    { config: Config.parse(store), set: (values) => void Object.assign(store, values) },
    (error) => {
      throw error;
    },
  );
  const now = (): Date => new Date(time.now());
  const application = createApplication(await portsWithoutWindow(folder, fileless, { dialogs, now }));
  stack.defer(() => application.close());
  const { config, session, sessionStore, servers: known, state } = application.parts;
  config.change({
    servers: [
      ...config.get().servers,
      // The person agreed to them when they were added.
      ...servers.map(({ name, server: { baseUrl } }) => ({
        ...createStoredServer(name, name, baseUrl),
        agreed: [baseUrl],
      })),
    ],
    activeServerId: names[0]!,
  });
  await application.begin();
  const findings = new Set<string>();
  const summary = {
    name: 'renewals',
    seconds: 0,
    checks: 0,
    unconfirmed: 0,
    servers: Object.fromEntries(servers.map(({ name, server }) => [name, server.served])) as Record<Kind, Served>,
    sessionsEnded: 0,
    logInsAskedFor: 0,
    told: 0,
    findings: [],
  } satisfies RenewalsSummary;
  const summed = (): RenewalsSummary => ({ ...summary, findings: [...findings] });

  /** Does something until it is done: the server may answer it with a fault. */
  async function untilDone(what: string, act: () => Promise<{ ok: true } | { ok: false; error?: AppError }>) {
    let error: AppError | undefined;
    for (let turn = 0; turn < 30; turn += 1) {
      const done = await act();
      if (done.ok) return;
      ({ error } = done);
      await time.sleep(second);
    }
    findings.add(`${what}: ${JSON.stringify(error)}`);
  }

  for (const { name, server } of servers) {
    const details = { name, colour: 'gray', notes: '', registrationPath: 'registro', production: false } as const;
    const enteredInterface = { text: JSON.stringify(renewingDescription(kinds[name].kind)), variables: [] };
    const entered = { ...details, pinned: {}, address: server.baseUrl, enteredConnection: direct, enteredInterface };
    await untilDone(`${name}: no description`, () => known.edit({ id: name, ...entered }));
    await untilDone(`${name}: not chosen`, () => known.choose({ id: name }));
    await untilDone(`${name}: no log-in`, () =>
      session.logins.login({ email: 'ana@example.test', password: 'correct horse' }),
    );
  }
  const startedAt = time.now();
  const isOver = (): boolean => time.now() - startedAt >= seconds * second;
  let minute = 0;
  while (!isOver()) {
    for (const { id, serverId } of sessionStore.all()) {
      const checked = await session.check(id);
      // What the application tries by itself goes on meanwhile.
      if (!checked.ok && checked.error.kind === 'not-now') continue;
      summary.checks += 1;
      if (!checked.ok) {
        summary.unconfirmed += 1;
        if (checked.error.kind === 'unauthenticated') findings.add(`${serverId}: ended`);
      }
    }
    summary.sessionsEnded = names.length - sessionStore.all().length;
    if (state.get().session.step === 'signed-out') summary.logInsAskedFor += 1;
    summary.seconds = Math.round((time.now() - startedAt) / second);
    if (summary.seconds >= 60 * (minute + 1)) {
      minute += 1;
      onProgress?.(summed());
    }
    await time.sleep(random.whole(2 * second, 5 * second));
  }
  // The tokens are over by then, and so is the one against forged requests.
  await time.sleep(90 * second);
  for (const { id, serverId } of sessionStore.all()) {
    await session.logout(id, true);
    const isTold = (): boolean => sessionStore.find(id) === undefined;
    await untilDone(`${serverId}: not told of the log-out`, async () => {
      if (!isTold()) await session.revoke(id);
      return { ok: isTold() };
    });
    if (isTold()) summary.told += 1;
  }
  for (const { name, server } of servers) {
    const { logins, logouts, ended } = server.served;
    if (logins !== 1 || ended > 0 || logouts !== 1) findings.add(`${name}: ${JSON.stringify(server.served)}`);
  }
  return summed();
}
