import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { startExtendedService } from '../service/fault-injection/extended-service.ts';
import { formatFaultInjection } from '../service/fault-injection/fault-injection-settings.ts';
import { createReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import { isLoopback } from '../service/listening.ts';
import { formatAllowedOrigins } from './format-allowed-origins.ts';
import type { InterfaceReference } from './interface-arguments.ts';
import { loadInterface } from './load-interface.ts';
import { resolveVariables, findServer, createInterfaceReference, nonSecretVariables } from './find-server.ts';
import { clientFaultTexts, writeClientReport } from './serve-client-report.ts';
import { sanitizeForTerminal } from './option-parser.ts';
import type { CommandIo } from './run-command.ts';
import type { ServeArguments } from './serve-arguments.ts';

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

/** Loads the mock file, if there is one. */
async function readMockFile(file: string | undefined) {
  if (file === undefined) return { ok: true, model: undefined } as const;
  const { loadMockFile } = await import('../service/mock/load-mock-file.ts');
  return loadMockFile(file);
}

/** The API type of a server in a servers file. The service needs no secret variable, so none is read. */
async function readServerInterface(
  named: NonNullable<ServeArguments['serverReference']>,
  env: NodeJS.ProcessEnv,
): Promise<{ ok: true; reference: InterfaceReference | undefined } | { ok: false; sentence: string }> {
  const found = await findServer(named, 'en');
  if (!found.ok) return found;
  const { server } = found;
  const about = { file: named.file, server: server.name, language: 'en', option: 'var', typed: named.typed } as const;
  const variables = resolveVariables(nonSecretVariables(server), about, env);
  return variables.ok ? { ok: true, reference: createInterfaceReference(server, variables.named, env) } : variables;
}

/** Runs the service until `io.stop`. Returns 3 if it could not start. */
export async function serve(
  { tlsFiles, clientReport, mock, interface: typed, serverReference, ...run }: ServeArguments,
  io: CommandIo,
): Promise<0 | 3> {
  const say = (sentence: string): void => io.err(`${sentence}\n`);
  const mocked = await readMockFile(mock);
  if (!mocked.ok) {
    say(mocked.sentence);
    return 3;
  }
  const { model } = mocked;
  const api = serverReference
    ? await readServerInterface(serverReference, io.env)
    : { ok: true as const, reference: typed };
  if (!api.ok) {
    say(api.sentence);
    return 3;
  }
  const { reference } = api;
  const loaded = await loadInterface(reference, undefined, 'en');
  if (!loaded.ok) {
    say(loaded.sentence);
    return 3;
  }
  const read = await readTls(tlsFiles);
  const started = read.ok
    ? await startExtendedService({
        ...run,
        mock: model,
        adapter: reference && loaded.adapter,
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
  const reportError = await report(false);
  if (reportError !== undefined) {
    say(reportError);
    await service.close();
    return 3;
  }
  say(`Accounts are stored in ${location}${run.rateLimit === 'off' ? '; rate limits are off' : ''}.`);
  if (model) say(`Mock of ${model.baseUrl}, checked on ${model.measuredAt.slice(0, 10)}.`);
  for (const sentence of formatAllowedOrigins({ allowOrigins: run.allowOrigins?.() ?? [], baseUrl, model }, 'en'))
    say(sentence);
  const description = reference ? loaded.adapter.description : model?.interface;
  const { guesses } = loaded;
  if (guesses.length > 0)
    for (const line of [...guesses, createReportFormatter('en').t('describe.served', { from: reference?.from ?? '' })])
      say(line);
  if (description) say(sanitizeForTerminal(`API type: ${description.name}.`));
  if (faultInjection) say(`Simulated: ${formatFaultInjection(faultInjection.get())}.`);
  if (run.listen !== undefined && !isLoopback(run.listen) && !tlsFiles) {
    say('Connections are not encrypted, so others may read passwords and tokens. Use --tls-cert and --tls-key.');
  }
  io.out(`${JSON.stringify({ baseUrl })}\n`);

  if (!io.stop.aborted) await once(io.stop, 'abort');
  await service.close();
  for (const { fault } of service.clients?.lines() ?? []) say(clientFaultTexts[fault]);
  const unwritten = await report(true);
  if (unwritten !== undefined) say(unwritten);
  return 0;
}
