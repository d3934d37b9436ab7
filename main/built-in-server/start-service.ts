import type { BuiltInStatus } from '../../preload/contract/models.ts';
import type { ServiceSettings } from '../config/config.ts';
import type { Log } from '../log.ts';
import { demoPerson } from '../service/data/demo-person.ts';
import type { Controls } from './controls.ts';

/** The port of the embedded service; the next free one if it is taken. */
const servicePort = 4848;

/** `message` says why there are no controls. */
export type StartedService = { status: BuiltInStatus; close: () => Promise<void> } & (
  { controls: Controls } | { controls?: undefined; message: string }
);

/** How many of the last requests the person can look at. */
const requestsKept = 1000;

/**
 * Starts the embedded service on a database of its own. Its code is read now, and not with ours. Never rejects: what kept
 * it from starting is in the status.
 */
export async function startEmbeddedService(
  databaseFile: string,
  { loginsPerMinute, registrationsPerMinute, tokenDays, argon2 }: ServiceSettings,
  log: Log,
): Promise<StartedService> {
  const [{ startService }, { behaviourChoices }, { possibleFault }] = await Promise.all([
    import('../service/server.ts'),
    import('../service/behaviour/choices.ts'),
    import('../service/behaviour/faults.ts'),
  ]);
  // Also a fault of ours must not leave the window at "starting" for ever.
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
    log: (line) => log.warn(line),
  }).catch((error: unknown) => ({
    ok: false as const,
    message: `a fault of ours, see the log (${log.report(error)})`,
  }));
  if (!started.ok) {
    const { message } = started;
    log.warn(`the embedded service could not start: ${message}`);
    return { status: { state: 'failed', message }, message, close: async () => undefined };
  }
  const { baseUrl, behaviour, data } = started.service;
  const running = { status: { state: 'running', baseUrl }, close: () => started.service.close() } as const;
  // It was asked for, and its database is of SQLite.
  if (!behaviour || !data) return { ...running, message: 'it has no controls' };
  const choices = behaviourChoices;
  return { ...running, controls: { choices, possibleFault, demoEmail: demoPerson.email, behaviour, data } };
}
