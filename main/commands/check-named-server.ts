import { reportWords } from '../../preload/contract/words/say-report.ts';
import { headersOf, type Measuring } from './check-measuring.ts';
import { allowedVariables, findServer, interfaceOfServer } from './check-servers.ts';
import { inOneLine, WrongUsage } from './options.ts';
import type { CommandIo } from './process.ts';

/**
 * Fills a measurement in with the server of a file that it names, and says its origin before anything is sent there. A
 * production server is refused, as the window refuses it, and so is one at an origin that the command's own line does
 * not name, where the command has an account, a header or a variable to send.
 */
export async function withServer<Wanted extends Measuring>(
  wanted: Wanted,
  { env, err }: Pick<CommandIo, 'env' | 'err'>,
): Promise<{ ok: true; wanted: Wanted } | { ok: false; sentence: string }> {
  const { named, language, typed, proxy } = wanted;
  if (!named) return { ok: true, wanted };
  const found = await findServer(named, language);
  if (!found.ok) return found;
  const { server } = found;
  const { file } = named;
  const command = reportWords(language).texts('command');
  const { name, baseUrl } = server;
  if (server.production) return { ok: false, sentence: inOneLine(command('serversProduction', { file, name })) };
  const about = { file, server: name, language };
  const headers = allowedVariables(server.headers ?? [], { ...about, option: 'header', typed: typed.header }, env);
  if (!headers.ok) return headers;
  const variables = allowedVariables(server.variables, { ...about, option: 'var', typed: typed.var }, env);
  if (!variables.ok) return variables;
  const { origin } = new URL(baseUrl);
  const { origins, account } = wanted;
  // What the file calls the server is no origin: a change of the file would take what is secret anywhere.
  const takesSecrets = account !== undefined || headers.named.length > 0 || variables.named.length > 0;
  if (origins.length === 0 ? takesSecrets : !origins.includes(origin)) {
    const values = { file, name, origin, origins: origins.join(', ') };
    const sentence = command(origins.length === 0 ? 'serversNoOrigin' : 'serversOtherOrigin', values);
    return { ok: false, sentence: inOneLine(sentence) };
  }
  err(`${inOneLine(command('serversOrigin', { file, name, origin }))}\n`);
  if (server.proxy && server.proxy.mode !== 'system' && proxy.mode === 'none')
    err(`${inOneLine(command('serversProxy', { name }))}\n`);
  const described = interfaceOfServer(server, variables.named, env);
  try {
    return {
      ok: true,
      wanted: { ...wanted, baseUrl, serverName: name, headers: headersOf(headers.named, env), interface: described },
    };
  } catch (error) {
    if (error instanceof WrongUsage) return { ok: false, sentence: inOneLine(error.message) };
    throw error;
  }
}
