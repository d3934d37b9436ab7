import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { formatFaultInjection } from '../service/fault-injection/fault-injection-settings.ts';
import type { ClockControl } from '../service/fault-injection/clock-control.ts';
import { createReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import { isLoopback } from '../service/listening.ts';
import { formatAllowedOrigins } from './format-allowed-origins.ts';
import { loadInterface, type InterfaceReference } from './interface-arguments.ts';
import {
  resolveVariables,
  findServer,
  createInterfaceReference,
  nonSecretVariables,
} from './servers-file-arguments.ts';
import { clientFaultTexts, writeClientReport } from './serve-client-report.ts';
import { sanitizeForTerminal } from './option-parser.ts';
import { runCommand, runAsProcess, type CommandIo } from './run-command.ts';
import { parseServeArguments, type ServeArguments } from './serve-arguments.ts';

type TlsRead = { ok: true; tls?: { cert: Buffer; key: Buffer } } | { ok: false; message: string };

/** Reads the files for TLS. A failure is a sentence about the one that cannot be read. */
async function readTls(files: ServeArguments['tlsFiles']): Promise<TlsRead> {
  if (!files) return { ok: true };
  try {
    return { ok: true, tls: { cert: await readFile(files.cert), key: await readFile(files.key) } };
  } catch (error) {
    return { ok: false, message: `A TLS file cannot be read: ${error instanceof Error ? error.message : ''}.` };
  }
}

async function listenFor(clock: ClockControl | undefined) {
  if (!clock) return undefined;
  const { startClockListener } = await import('../service/fault-injection/clock-listener.ts');
  return startClockListener(clock);
}

/** Reads the model of the server that is to be mocked, if there is one. */
async function readMockFile(file: string | undefined) {
  if (file === undefined) return { ok: true, model: undefined } as const;
  const { loadMockFile } = await import('../service/mock/load-mock-file.ts');
  return loadMockFile(file);
}

type Named = NonNullable<ServeArguments['serverReference']>;

/** Reads the interface of a server in a file. The service asks for no secret, so none is read. */
async function interfaceNamed(
  named: Named,
  env: NodeJS.ProcessEnv,
): Promise<{ ok: true; wanted: InterfaceReference | undefined } | { ok: false; sentence: string }> {
  const found = await findServer(named, 'en');
  if (!found.ok) return found;
  const { server } = found;
  const about = { file: named.file, server: server.name, language: 'en', option: 'var', typed: named.typed } as const;
  const variables = resolveVariables(nonSecretVariables(server), about, env);
  return variables.ok ? { ok: true, wanted: createInterfaceReference(server, variables.named, env) } : variables;
}

/** Runs the service until `io.stop`. It answers 3 when the service could not start. */
async function serve(
  { tlsFiles, clientReport, mock, interface: typed, serverReference, ...run }: ServeArguments,
  io: CommandIo,
): Promise<0 | 3> {
  const say = (sentence: string): void => io.err(`${sentence}\n`);
  // Loaded here, since wrong usage and help need nothing of it.
  const { startExtendedService } = await import('../service/fault-injection/extended-service.ts');
  const mocked = await readMockFile(mock);
  if (!mocked.ok) {
    say(mocked.sentence);
    return 3;
  }
  const { model } = mocked;
  const found = serverReference ? await interfaceNamed(serverReference, io.env) : { ok: true as const, wanted: typed };
  if (!found.ok) {
    say(found.sentence);
    return 3;
  }
  const { wanted } = found;
  const spoken = await loadInterface(wanted, undefined, 'en');
  if (!spoken.ok) {
    say(spoken.sentence);
    return 3;
  }
  const read = await readTls(tlsFiles);
  const started = read.ok
    ? await startExtendedService({
        ...run,
        mock: model,
        adapter: wanted && spoken.adapter,
        clients: clientReport === undefined ? undefined : 'with-cookie',
        tls: read.tls,
        log: say,
      })
    : read;
  if (!started.ok) {
    say(started.message);
    return 3;
  }
  const { service } = started;
  const { baseUrl, faultInjection, location } = service;
  const report = async (isComplete: boolean): Promise<string | undefined> =>
    clientReport !== undefined && service.clients
      ? writeClientReport(clientReport, service.clients, isComplete)
      : undefined;
  const unwritable = await report(false);
  if (unwritable !== undefined) {
    say(unwritable);
    await service.close();
    return 3;
  }
  say(`Accounts are stored in ${location}${run.rateLimit === 'off' ? '; rate limits are off' : ''}.`);
  if (model) say(`Mock of ${model.baseUrl}, checked on ${model.measuredAt.slice(0, 10)}.`);
  for (const sentence of formatAllowedOrigins({ allowOrigins: run.allowOrigins?.() ?? [], baseUrl, model }, 'en'))
    say(sentence);
  const speaks = wanted ? spoken.adapter.description : model?.interface;
  const { guesses } = spoken;
  if (guesses.length > 0)
    for (const line of [...guesses, createReportFormatter('en').t('describe.served', { from: wanted?.from ?? '' })])
      say(line);
  if (speaks) say(sanitizeForTerminal(`API type: ${speaks.name}.`));
  if (faultInjection) say(`Simulated: ${formatFaultInjection(faultInjection.get())}.`);
  if (run.listen !== undefined && !isLoopback(run.listen) && !tlsFiles) {
    say('Connections are not encrypted, so others may read passwords and tokens. Use --tls-cert and --tls-key.');
  }
  const listener = await listenFor(service.clock);
  const clock = listener && { url: listener.url, key: listener.key };
  if (clock) say('The clock can be moved by anyone with the key. It is reset at the next start.');
  io.out(`${JSON.stringify({ baseUrl, clock })}\n`);

  if (!io.stop.aborted) await once(io.stop, 'abort');
  await listener?.close();
  await service.close();
  for (const { fault } of service.clients?.lines() ?? []) say(clientFaultTexts[fault]);
  const unwritten = await report(true);
  if (unwritten !== undefined) say(unwritten);
  return 0;
}

/**
 * Runs the service as this process, without a window.
 *
 * @param args what follows the command's name
 * @returns the exit code: 0 ended as told, 2 wrong usage, 3 could not start
 */
export const runServe = (args: string[]): Promise<0 | 2 | 3> =>
  runAsProcess((io) => runCommand(parseServeArguments(args, io.env), io, (run) => serve(run, io)));
