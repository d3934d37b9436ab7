import { createReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import { readHeaderValues, type RunArguments } from './run-arguments.ts';
import { resolveVariables, findServer, createInterfaceReference } from './find-server.ts';
import { sanitizeForTerminal, UsageError } from './option-parser.ts';
import type { CommandIo } from './run-command.ts';

/**
 * Completes arguments with the server in a servers file, and prints its origin before anything is sent there. Refuses a
 * production server, as the window does, and one at an origin that --origin does not name, if the command has an account,
 * a header or a variable to send.
 */
export async function resolveServer<Args extends RunArguments>(
  args: Args,
  { env, err }: Pick<CommandIo, 'env' | 'err'>,
): Promise<{ ok: true; args: Args } | { ok: false; sentence: string }> {
  const { serverReference, language, typedVariables, proxy } = args;
  if (!serverReference) return { ok: true, args };
  const found = await findServer(serverReference, language);
  if (!found.ok) return found;
  const { server } = found;
  const { file } = serverReference;
  const command = createReportFormatter(language).texts('command');
  const { name, baseUrl } = server;
  if (server.production)
    return { ok: false, sentence: sanitizeForTerminal(command('serversProduction', { file, name })) };
  const about = { file, server: name, language };
  const headers = resolveVariables(
    server.headers ?? [],
    { ...about, option: 'header', typed: typedVariables.header },
    env,
  );
  if (!headers.ok) return headers;
  const variables = resolveVariables(server.variables, { ...about, option: 'var', typed: typedVariables.var }, env);
  if (!variables.ok) return variables;
  const { origin } = new URL(baseUrl);
  const { origins, account } = args;
  // A name is no origin: a change of the file could send secrets anywhere.
  const sendsSecrets = account !== undefined || headers.named.length > 0 || variables.named.length > 0;
  if (origins.length === 0 ? sendsSecrets : !origins.includes(origin)) {
    const values = { file, name, origin, origins: origins.join(', ') };
    const sentence = command(origins.length === 0 ? 'serversNoOrigin' : 'serversOtherOrigin', values);
    return { ok: false, sentence: sanitizeForTerminal(sentence) };
  }
  err(`${sanitizeForTerminal(command('serversOrigin', { file, name, origin }))}\n`);
  if (server.proxy && server.proxy.mode !== 'system' && proxy.mode === 'none')
    err(`${sanitizeForTerminal(command('serversProxy', { name }))}\n`);
  const described = createInterfaceReference(server, variables.named, env);
  try {
    return {
      ok: true,
      args: {
        ...args,
        baseUrl,
        serverName: name,
        headers: readHeaderValues(headers.named, env),
        interface: described,
      },
    };
  } catch (error) {
    if (error instanceof UsageError) return { ok: false, sentence: sanitizeForTerminal(error.message) };
    throw error;
  }
}
