import { isLoopback, LOOPBACK, isReachableByOthers } from '../listening.ts';
import { startService, type Service, type ServiceExtension, type ServiceOptions, type StartResult } from '../server.ts';
import { FaultInjection, type FaultInjectionControl } from './fault-injection.ts';
import { createClientMonitor, type ClientReport } from './client-monitor.ts';
import { createClockControl, type ClockControl } from './clock-control.ts';
import { createMovableClock } from './movable-clock.ts';
import { createServiceData, type ServiceData } from './service-data.ts';
import type { FaultInjectionSettings } from './fault-injection-settings.ts';
import { createPlugin } from './plugin.ts';

/** On loopback and on SQLite only. Without an option, no request runs any code of it. */
export type ExtendedServiceOptions = ServiceOptions & {
  /** What it simulates at first; `{}` for nothing yet. */
  faultInjection?: Partial<FaultInjectionSettings> | undefined;
  /** Whether its clock can be moved. */
  clock?: boolean | undefined;
  /** Whether it reports mistakes of clients; `with-cookie` sets a cookie, to see whether it comes back. */
  clients?: 'watched' | 'with-cookie' | undefined;
};

/** Each part is set if its option is; `data` with `faultInjection`. */
export type ExtendedService = Service & {
  faultInjection?: FaultInjectionControl | undefined;
  data?: ServiceData | undefined;
  clock?: ClockControl | undefined;
  clients?: ClientReport | undefined;
};

type Refusal = {
  ok: false;
  kind: 'behaviour-beyond-loopback' | 'shared-database' | 'clock-beyond-loopback';
  message: string;
};
type StartExtendedResult = Exclude<StartResult, { ok: true }> | Refusal | { ok: true; service: ExtendedService };

function validateOptions(options: ExtendedServiceOptions): Refusal | undefined {
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

/** Starts the service with simulated faults, a movable clock and a report of client mistakes. */
export async function startExtendedService(options: ExtendedServiceOptions): Promise<StartExtendedResult> {
  const {
    now: realNow = Date.now,
    clock: hasMovableClock = false,
    faultInjection: settings,
    clients,
    ...given
  } = options;
  const refusal = validateOptions(options);
  if (refusal) return refusal;
  const movableClock = hasMovableClock ? createMovableClock(realNow) : undefined;
  const now = movableClock?.now ?? realNow;
  const faultInjection = settings && new FaultInjection(settings);
  const clientMonitor = clients && createClientMonitor({ clock: movableClock, setsCookie: clients === 'with-cookie' });
  let data: ServiceData | undefined;
  let clock: ClockControl | undefined;

  const extension: ServiceExtension = {
    monotonicNow: movableClock?.monotonicNow,
    wrap(dependencies, { local, location }) {
      const { accounts, mockTokens, accountCalls } = dependencies;
      // Both use the stores without the simulated vulnerabilities.
      if (local && faultInjection)
        data = createServiceData({
          table: local.table,
          accounts,
          file: location,
          now: realNow,
          factors: accountCalls?.store,
        });
      if (local && movableClock) {
        const tokens = mockTokens?.tokenStore ?? local.table;
        clock = createClockControl({ clock: movableClock, tokens, lock: local.lock });
      }
      return faultInjection?.wrap(dependencies, now) ?? dependencies;
    },
    plugin: createPlugin({ faultInjection, clientMonitor, movableClock }),
  };
  const started = await startService({ ...given, now, realNow }, extension);
  if (!started.ok) return started;
  return { ok: true, service: { ...started.service, faultInjection, data, clock, clients: clientMonitor?.report } };
}
