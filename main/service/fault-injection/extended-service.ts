import type { Passwords } from '../domain/passwords.ts';
import type { MockTokenStore } from '../mock/mock-token-store.ts';
import { isLoopback, LOOPBACK, isReachableByOthers } from '../listening.ts';
import type { App, RouteDependencies } from '../route-dependencies.ts';
import {
  startService,
  type ServiceExtensions,
  type OpenedStores,
  type Service,
  type ServiceOptions,
  type StartResult,
} from '../server.ts';
import type { AccountStore } from '../stores/account-store.ts';
import { FaultInjection, type FaultInjectionControl } from './fault-injection.ts';
import { createClientMonitor, type ClientReport } from './client-monitor.ts';
import { createClockControl, type ClockControl } from './clock-control.ts';
import { createMovableClock } from './movable-clock.ts';
import { createServiceData, type ServiceData } from './service-data.ts';
import type { FaultInjectionSettings } from './fault-injection-settings.ts';
import { createSecretGenerator, createDefectiveTokenStore } from './defective-store.ts';

/** What stands around a service, on loopback and on SQLite only. What is absent meets no request. */
type LabOptions = {
  /** How it misbehaves on purpose to begin with; `{}` says in no way yet. */
  faultInjection?: Partial<FaultInjectionSettings> | undefined;
  /** Whether its clock can be moved. */
  clock?: boolean | undefined;
  /** Whether it watches what clients do wrong; `with-cookie` sets one, to see whether it comes back. */
  clients?: 'watched' | 'with-cookie' | undefined;
};

/** Each of these is there where it was asked for. */
export type ExtendedService = Service & {
  faultInjection?: FaultInjectionControl | undefined;
  /** What is in its database, beside `behaviour`. */
  data?: ServiceData | undefined;
  clock?: ClockControl | undefined;
  clients?: ClientReport | undefined;
};

export type ExtendedServiceOptions = ServiceOptions & LabOptions;

type LabFailure = 'behaviour-beyond-loopback' | 'shared-database' | 'clock-beyond-loopback';
type Refusal = { ok: false; kind: LabFailure; message: string };
type LabResult = Exclude<StartResult, { ok: true }> | Refusal | { ok: true; service: ExtendedService };

/** What is wrong with the options themselves; undefined when they can be tried. */
function problemOf(options: ExtendedServiceOptions): Refusal | undefined {
  const { faultInjection, clients, clock, database, listen: address = LOOPBACK } = options;
  if ('url' in database && (faultInjection || clock)) {
    const message =
      'A server on PostgreSQL, which others may share, simulates no faults, and its clock cannot be moved.';
    return { ok: false, kind: 'shared-database', message };
  }
  if (faultInjection && !isLoopback(address)) {
    const message = 'Simulated faults and vulnerabilities are for loopback only.';
    return { ok: false, kind: 'behaviour-beyond-loopback', message };
  }
  if ((clock || clients) && isReachableByOthers(options)) {
    const message = 'A movable clock and client reports are for this computer only.';
    return { ok: false, kind: 'clock-beyond-loopback', message };
  }
  return undefined;
}

/** Starts the service with what stands around it. */
export async function startExtendedService(options: ExtendedServiceOptions): Promise<LabResult> {
  const { now: realNow = Date.now, clock: hasMovableClock = false, ...given } = options;
  const problem = problemOf(options);
  if (problem) return problem;
  const movable = hasMovableClock ? createMovableClock(realNow) : undefined;
  const now = movable?.now ?? realNow;
  const behaviour = given.faultInjection && new FaultInjection(given.faultInjection);
  const clients = given.clients && createClientMonitor({ clock: movable, setsCookie: given.clients === 'with-cookie' });
  const made: Pick<ExtendedService, 'data' | 'clock'> = {};

  const around: ServiceExtensions<Refusal> = {
    monotonicNow: movable?.monotonicNow,
    async open({ stores: { accounts, local, location }, tokens }: OpenedStores) {
      if (!local) return undefined;
      // They are given the store itself, which no wrong mode stands around.
      if (behaviour) made.data = createServiceData({ table: local.table, accounts, file: location, now: realNow });
      if (movable) made.clock = createClockControl({ clock: movable, tokens: tokens ?? local.table, lock: local.lock });
      return undefined;
    },
    accounts: (store: AccountStore) => behaviour?.accounts(store, now) ?? store,
    passwords: (passwords: Passwords) => behaviour?.passwords(passwords) ?? passwords,
    mockTokens: (tokenStore: MockTokenStore) =>
      behaviour
        ? {
            tokenStore: createDefectiveTokenStore(tokenStore, behaviour.activations),
            createSecret: createSecretGenerator(behaviour.activations),
            ignoresCpassword: () => behaviour.activations.isOn('cpassword-ignored'),
          }
        : { tokenStore },
    plugin(app: App, parts: RouteDependencies) {
      behaviour?.plugin(app, parts);
      clients?.watch(app, now);
      // Answers are dated by the service's clock, and not by that of the computer.
      if (movable) {
        app.addHook('onRequest', (_request, reply, done) => {
          reply.header('date', new Date(now()).toUTCString());
          done();
        });
      }
    },
  };
  const started = await startService({ ...given, now, realNow }, around);
  if (!started.ok) return started;
  const service = { ...started.service, ...made, faultInjection: behaviour, clients: clients?.report };
  return { ok: true, service };
}
