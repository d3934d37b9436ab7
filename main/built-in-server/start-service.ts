import type { ServiceSettings } from '../config/config.ts';
import type { Log } from '../log.ts';
import { demoPerson } from '../service/data/demo-person.ts';
import type { Service } from '../service/server.ts';
import type { StartedBuiltIn } from './controls.ts';

/** The port of the built-in server. If it is taken, the next free one is used. */
const servicePort = 4848;

/** The number of the last requests that the person can look at. */
const requestsKept = 1000;

/**
 * Starts the service on a database of its own. Its code is loaded now, and not with ours. It never rejects: what kept
 * it from starting is in the status.
 */
export async function startBuiltIn(
  databaseFile: string,
  { loginsPerMinute, registrationsPerMinute, tokenDays, argon2 }: ServiceSettings,
  log: Log,
): Promise<StartedBuiltIn> {
  const { startService } = await import('../service/server.ts');
  // A fault of ours must not leave the window at "starting" for ever either.
  const started = await startService({
    database: { file: databaseFile },
    port: servicePort,
    portSearch: true,
    limits: {
      login: { most: loginsPerMinute, windowSeconds: 60 },
      registration: { most: registrationsPerMinute, windowSeconds: 60 },
    },
    tokenLifetimeSeconds: tokenDays * 86_400,
    ...(argon2 && { argon2 }),
    behaviour: { keepRequests: requestsKept },
    clock: 'when-moved',
    clients: 'watched',
    log: (line) => log.warn(line),
  }).catch((error: unknown) => ({
    ok: false as const,
    message: `a fault of ours, see the log (${log.report(error)})`,
  }));
  if (started.ok) return builtInOf(started.service);
  log.warn(`the built-in server could not start: ${started.message}`);
  return notStarted(started.message);
}

/** Returns a service that runs, with what main needs of it. */
export async function builtInOf(service: Service): Promise<StartedBuiltIn> {
  const [{ behaviourChoices: choices }, { possibleFault }] = await Promise.all([
    import('../service/behaviour/choices.ts'),
    import('../service/behaviour/faults.ts'),
  ]);
  const { baseUrl, behaviour, data, clock, clients } = service;
  const running = { status: { state: 'running', baseUrl }, close: () => service.close() } as const;
  // They are there where they were asked for and the database is SQLite.
  if (!behaviour || !data || !clock || !clients) return { ...running, message: 'it has no controls' };
  return {
    ...running,
    controls: { choices, possibleFault, demoEmail: demoPerson.email, behaviour, data, clock, clients },
  };
}

export const notStarted = (message: string): StartedBuiltIn => ({
  status: { state: 'failed', message },
  message,
  close: async () => undefined,
});
