import { builtInOf } from '../built-in-server/start-service.ts';
import type { StartedBuiltIn } from '../built-in-server/controls.ts';
import type { ServiceSettings } from '../config/config.ts';
import type { Log } from '../log.ts';
import type { ServerModel } from '../service/double/model.ts';

/** The number of the last requests that are remembered. */
const requestsKept = 1000;

type Options = {
  /** The database of its accounts. */
  file: string;
  /** Where it listened last; the next free port is taken if that one is in use. 0 is for any. */
  port: number;
  settings: Pick<ServiceSettings, 'argon2'>;
  log: Log;
};

export type StartedDouble = { ok: true; port: number; started: StartedBuiltIn } | { ok: false; message: string };

/**
 * Starts the double of a server on loopback. The service's code is loaded now, and not with ours. It never rejects.
 */
export async function startDoubleService(
  model: ServerModel,
  { file, port, settings: { argon2 }, log }: Options,
): Promise<StartedDouble> {
  try {
    const { startService } = await import('../service/server.ts');
    const result = await startService({
      database: { file },
      port,
      portSearch: true,
      model,
      ...(argon2 && { argon2 }),
      behaviour: { keepRequests: requestsKept },
      clock: 'when-moved',
      clients: 'watched',
      log: (line) => log.warn(line),
    });
    if (!result.ok) return result;
    return { ok: true, port: result.service.port, started: await builtInOf(result.service) };
  } catch (error) {
    // A fault of ours must not leave the window at "starting" for ever.
    return { ok: false, message: `a fault of ours, see the log (${log.report(error)})` };
  }
}
