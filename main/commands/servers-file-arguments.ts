import { parseBaseUrl } from '../client/base-url.ts';
import { filePath, repeatableOption, textType, UsageError, valueOption } from './option-parser.ts';

/**
 * Parses an origin as the WHATWG URL standard has it (https://url.spec.whatwg.org/#origin), with its scheme, and with
 * nothing else: a path would look as if it were compared too. It is canonical as the address of a server is, so that
 * upper case, a default port, a dot at the end of the host and an international name do not matter.
 */
function parseOrigin(text: string): string | undefined {
  const isBare = /^https?:\/\/[^\s/\\?#@]+\/?$/i.test(text);
  const parsed = isBare ? parseBaseUrl(text, []) : undefined;
  return parsed?.ok && parsed.value === new URL(parsed.value).origin ? parsed.value : undefined;
}

export const serverOption = valueOption(
  '--server <name>',
  'server in that file, with its address, API type and extra headers',
  textType('the name of a server'),
);

export const serverOptions = [
  valueOption(
    '--servers <file>',
    'servers file, such as llavero.servers.json; --server names a server in it, instead of an address. Of the environment variables it names, only those that start with LLAVERO_ are read; --header and --var allow others',
    filePath,
  ).conflicts('interface'),
  serverOption,
  repeatableOption(
    '--origin <url>',
    'only origin that requests are sent to; required with --server and an account, a header or a variable, since others may change the file',
    { takes: 'a scheme, a host and a port alone, such as https://staging.example.test', parse: parseOrigin },
  ),
] as const;

/** A server in a servers file. Without a name, the error lists the names there. */
export type ServerReference = { file: string; name: string | undefined };

/** The server in a servers file that the options name. */
export function readServerReference(
  { servers: file, server: name }: { servers?: string | undefined; server?: string | undefined },
  address: string | undefined,
): ServerReference | undefined {
  if (file === undefined) {
    if (name !== undefined) throw new UsageError('The option --server needs --servers FILE.');
    return undefined;
  }
  if (address !== undefined)
    throw new UsageError('The address of a server cannot be given together with --servers, which names one.');
  return { file, name };
}
