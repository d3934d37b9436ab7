import type { ServiceSettings } from '../../account/config/config.ts';
import type { Log } from '../../files/log.ts';
import type { MockDefinition } from '../../service/mock/mock-definition.ts';
import type { ExtendedServiceOptions } from '../../service/fault-injection/extended-service.ts';
import type { StartedService } from './local-server.ts';

/** The ports of the built-in server and of the first mock server. If one is taken, the next free one is used. */
const ports = { builtIn: 4848, mock: 4860 };

/** The number of the last requests that are shown. */
const SHOWN_REQUESTS = 1000;

/**
 * Starts a service on loopback with all controls of the window. Its code is loaded now, and not when the application
 * starts. It never rejects: a bug must not leave the window at "starting" for ever.
 */
async function startService(options: ExtendedServiceOptions, log: Log): Promise<StartedService> {
  try {
    const { startExtendedService } = await import('../../service/fault-injection/extended-service.ts');
    const started = await startExtendedService({
      portSearch: true,
      faultInjection: { keepRequests: SHOWN_REQUESTS },
      clock: true,
      clients: 'watched',
      log: (line) => log.warn(line),
      ...options,
    });
    if (!started.ok) log.warn(`a server of this computer could not start: ${started.message}`);
    return started;
  } catch (error) {
    return { ok: false, message: `a fault of ours, see the log (${log.report(error)})` };
  }
}

const costOf = ({ argon2 }: Pick<ServiceSettings, 'argon2'>) => (argon2 ? { argon2 } : {});

type LocalServiceOptions = Required<Pick<ExtendedServiceOptions, 'allowOrigins'>> & {
  settings: ServiceSettings;
  log: Log;
};

/** Starts the built-in server on a database of its own. */
export const startBuiltIn = (
  file: string,
  { settings, accountCalls, allowOrigins, log }: LocalServiceOptions & { accountCalls: boolean },
): Promise<StartedService> =>
  startService(
    {
      database: { file },
      accountCalls,
      allowOrigins,
      port: ports.builtIn,
      limits: {
        login: { most: settings.loginsPerMinute, windowSeconds: 60 },
        registration: { most: settings.registrationsPerMinute, windowSeconds: 60 },
      },
      tokenLifetimeSeconds: settings.tokenDays * 86_400,
      ...costOf(settings),
    },
    log,
  );

/** @param port where it listened last; 0 is for any */
export const startMockServer = (
  mock: MockDefinition,
  database: { file: string },
  port = ports.mock,
  { settings, allowOrigins, log }: LocalServiceOptions,
): Promise<StartedService> => startService({ database, port, mock, allowOrigins, ...costOf(settings) }, log);

/** Starts a mock in memory for a comparison. Rate limits that were not measured would only delay it. */
export const startForVerification = (
  mock: MockDefinition,
  { settings, log }: Omit<LocalServiceOptions, 'allowOrigins'>,
): Promise<StartedService> =>
  startService(
    {
      database: { file: ':memory:' },
      port: 0,
      mock,
      rateLimit: mock.rules.failedLogins.calls.length > 0 ? 'on' : 'off',
      faultInjection: undefined,
      clock: undefined,
      clients: undefined,
      ...costOf(settings),
    },
    log,
  );
