import { isDeepStrictEqual } from 'node:util';
import { ConnectionChoices } from '../../../preload/contract/connection.ts';
import { shippedInterfaces } from '../../interface/shipped.ts';
import { isRecord, parseJson } from '../../interface/template.ts';
import { serversFileVersion, type ServersFileInput } from '../../servers-file/servers-file-schema.ts';
import { isRemote, type StoredInterface, type StoredRealServer, type StoredServer } from '../config/config.ts';
import { enteredVariables } from './interface-form.ts';

type WrittenServer = ServersFileInput['servers'][number];

const defaults = ConnectionChoices.parse({});

/**
 * Returns a servers file with these servers, without those that run here: every installation has the built-in server, and
 * a mock server is exported as its model. It has no session, no certificate, and no value of a header or secret variable.
 */
export async function formatServersFile(servers: readonly StoredServer[]): Promise<string> {
  const shipped = await shippedInterfaces();
  const names = new Set<string>();
  const written = servers.filter(isRemote).map((server) => {
    const name = unusedName(server.name, names);
    names.add(name);
    return formatServer({ ...server, name }, shipped);
  });
  const file: ServersFileInput = {
    $schema: `https://llavero.app/schemas/servers-${serversFileVersion}.json`,
    version: serversFileVersion,
    servers: written,
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** Whether a servers file with the export of this API description has the same text. */
export const isExportedAs = (stored: StoredInterface, text: string): boolean =>
  [minify(stored.text), sharedText(stored)].includes(minify(text));

const minify = (text: string): string => JSON.stringify(parseJson(text) ?? text);

/** An API description in which the entered values of its variables are their defaults. */
function sharedText(stored: StoredInterface): string {
  const values = Object.entries(enteredVariables(stored)).filter(([, value]) => !value.includes('{{'));
  const description = parseJson(stored.text);
  if (values.length === 0 || !isRecord(description) || !isRecord(description['variables'])) return minify(stored.text);
  const variables = { ...description['variables'] };
  for (const [name, value] of values) {
    const variable = variables[name];
    if (isRecord(variable)) variables[name] = { ...variable, default: value };
  }
  return JSON.stringify({ ...description, variables });
}

/** A file names each server once. */
function unusedName(name: string, taken: ReadonlySet<string>): string {
  let number = 1;
  const numbered = (): string => (number === 1 ? name : `${name.slice(0, 90)} (${number})`);
  while (taken.has(numbered())) number += 1;
  return numbered();
}

function formatServer(server: StoredRealServer, shipped: readonly { id: string; text: string }[]): WrittenServer {
  const { name, baseUrl, colour, notes, registrationPath, production, dialect, connection, extraHeaders } = server;
  const { proxy, limits } = connection;
  const { interface: described } = server;
  const text = described && sharedText(described);
  const known = text === undefined ? undefined : shipped.find((each) => minify(each.text) === text)?.id;
  const missing = described?.variables.filter(({ secret, isSet }) => secret || !isSet) ?? [];
  return {
    name,
    address: baseUrl,
    colour,
    ...(production && { production }),
    ...(text !== undefined && { interface: known ?? parseObject(text) }),
    ...(missing.length > 0 && { variables: environmentVariables(name, missing) }),
    ...(extraHeaders.length > 0 && { headers: environmentVariables(name, extraHeaders) }),
    ...(notes !== '' && { notes }),
    ...(registrationPath !== 'registro' && { registrationPath }),
    ...(Object.keys(dialect.pinned).length > 0 && { pinned: dialect.pinned }),
    ...(!isDeepStrictEqual(proxy, defaults.proxy) && { proxy }),
    ...(!isDeepStrictEqual(limits, defaults.limits) && { limits }),
  };
}

function parseObject(text: string): Exclude<WrittenServer['interface'], string | undefined> {
  const parsed = parseJson(text);
  return isRecord(parsed) ? parsed : {};
}

/** Begins each with `LLAVERO_`, so that a command may read it. */
const environmentVariables = (server: string, values: readonly { name: string }[]): Record<string, string> =>
  Object.fromEntries(values.map(({ name }) => [name, ['LLAVERO', toCapitals(server), toCapitals(name)].join('_')]));

const toCapitals = (text: string): string =>
  text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 60)
    .replace(/_$/, '') || 'X';
