import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ConnectionChoices } from '../../../preload/contract/connection.ts';
import type { ServerDetails } from '../../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { FileChange } from '../../../preload/contract/servers-file.ts';
import { sameName } from '../../client/extra-headers.ts';
import { defaultInterfaceSummary } from '../../interface/default-interface-summary.ts';
import { shippedInterfaces } from '../../interface/shipped.ts';
import { isRecord, parseJson } from '../../interface/template.ts';
import { serversFileVersion, type ServersFileInput } from '../../servers-file/servers-file-schema.ts';
import type { ResolvedEntry } from '../../servers-file/read-servers-file.ts';
import {
  isLocalServerId,
  createStoredServer,
  withoutSecretVariables,
  type StoredRealServer,
  type StoredInterface,
  type StoredServer,
} from '../config/config.ts';
import { defaultNameAndColour } from './server-defaults.ts';
import { storedSecretNames, createStoredInterface, enteredVariables } from './interface-form.ts';
import { secretChangesOf, type HeaderChange, type ValidatedServerForm } from './server-form.ts';

type WrittenServer = ServersFileInput['servers'][number];

const none = ConnectionChoices.parse({});

/** A description without its writing: an export writes it again. */
const bare = (text: string): string => JSON.stringify(parseJson(text) ?? text);

/** A description with what was entered for its open variables as their defaults, as a file of servers has it. */
function sharedText(stored: StoredInterface): string {
  const values = Object.entries(enteredVariables(stored)).filter(([, value]) => !value.includes('{{'));
  const description = parseJson(stored.text);
  if (values.length === 0 || !isRecord(description) || !isRecord(description['variables'])) return bare(stored.text);
  const variables = { ...description['variables'] };
  for (const [name, value] of values) {
    const variable = variables[name];
    if (isRecord(variable)) variables[name] = { ...variable, default: value };
  }
  return JSON.stringify({ ...description, variables });
}

/** Whether a server has the interface that a file gives it; a file that names none says nothing of it. */
function hasInterface({ interface: known }: Pick<StoredRealServer, 'interface'>, named: ResolvedEntry): boolean {
  if (!named.interface) return true;
  const { text } = named.interface;
  if (text === '' || !known) return text === '' && !known;
  return [bare(known.text), sharedText(known)].includes(bare(text));
}

/** Whether a server has the headers of a file, by their names. */
const hasHeaders = ({ extraHeaders }: Pick<StoredRealServer, 'extraHeaders'>, { headers }: ResolvedEntry): boolean =>
  !headers ||
  (headers.length === extraHeaders.length &&
    headers.every(({ name }) => extraHeaders.some((each) => sameName(each.name, name))));

/** An interface by its name and its calls, which is what a person can compare. */
function sayInterface(stored: StoredInterface | undefined): string {
  const { name, calls } = stored ?? defaultInterfaceSummary;
  return `${name} (${Object.values(calls).join(', ')})`;
}

const sayHeaders = (headers: readonly { name: string }[]): string => headers.map(({ name }) => name).join(', ');

/** Lists what a file says of a server and that is otherwise here. What the file does not name stays as it is. */
export function compareWithFile(
  named: ResolvedEntry,
  known: StoredRealServer,
  described: StoredInterface | undefined,
): FileChange[] {
  const { connection, dialect } = known;
  const changes: (FileChange | false)[] = [
    known.baseUrl !== named.baseUrl && { what: 'address', from: known.baseUrl, to: named.baseUrl },
    !hasInterface(known, named) && interfaceChange(known.interface, described),
    !hasHeaders(known, named) && {
      what: 'headers',
      from: sayHeaders(known.extraHeaders),
      to: sayHeaders(named.headers ?? []),
    },
    isOther(named.production, known.production) && {
      what: 'production',
      from: String(known.production),
      to: String(named.production),
    },
    isOther(named.colour, known.colour) && { what: 'colour', from: known.colour, to: named.colour },
    isOther(named.registrationPath, known.registrationPath) && {
      what: 'registrationPath',
      from: known.registrationPath,
      to: named.registrationPath,
    },
    isOther(named.notes, known.notes) && { what: 'notes' },
    isOther(named.pinned, dialect.pinned) && { what: 'pinned' },
    isOther(named.proxy, connection.proxy) && { what: 'proxy' },
    isOther(named.limits, connection.limits) && { what: 'limits' },
  ];
  return changes.filter((each) => each !== false);
}

const isOther = (named: unknown, known: unknown): boolean => named !== undefined && !isDeepStrictEqual(named, known);

/** Two that are called the same and have the same calls are told apart by their digests. */
function interfaceChange(before: StoredInterface | undefined, after: StoredInterface | undefined): FileChange {
  const [from, to] = [sayInterface(before), sayInterface(after)];
  const withDigest = (text: string, of: StoredInterface | undefined): string =>
    from === to && of ? `${text}, SHA-256 ${of.digest.slice(0, 12)}…` : text;
  return { what: 'interface', from: withDigest(from, before), to: withDigest(to, after) };
}

/**
 * Returns the interface that a server has by a file. Its variables keep what was entered for them here; the window reads
 * no environment, and asks for the others.
 */
export function interfaceFromFile(named: ResolvedEntry, known?: StoredRealServer): Result<StoredInterface | undefined> {
  const moved = known !== undefined && known.baseUrl !== named.baseUrl;
  const before = known?.interface && moved ? withoutSecretVariables(known.interface) : known?.interface;
  if (!named.interface || (known && hasInterface(known, named))) return ok(before);
  const { text } = named.interface;
  if (text === '') return ok(undefined);
  const make = (values: Readonly<Record<string, string>>) =>
    createStoredInterface(text, named.baseUrl, values, {
      kept: before ? storedSecretNames(before) : [],
      mayMiss: true,
    });
  const kept = make(before ? enteredVariables(before) : {});
  // What was entered for another description may not fit this one.
  const made = kept.ok ? kept : make({});
  return made.ok ? ok(made.value.interface) : made;
}

/**
 * Returns a server of a file under a new id, without any value and without an agreement.
 * @param others the servers beside which it stands
 */
export function createServerFromFile(
  named: ResolvedEntry,
  path: string,
  others: readonly StoredServer[],
): Result<StoredRealServer> {
  const described = interfaceFromFile(named);
  if (!described.ok) return described;
  const { name, baseUrl, headers = [], colour, production, notes, registrationPath, pinned, proxy, limits } = named;
  const plain = createStoredServer(randomUUID(), name, baseUrl);
  return ok({
    ...plain,
    colour: colour ?? defaultNameAndColour(baseUrl, others, production ?? false).colour,
    ...(notes !== undefined && { notes }),
    ...(registrationPath && { registrationPath }),
    ...(pinned && { dialect: { learned: {}, pinned: withoutUndefined(pinned) } }),
    production: production ?? false,
    connection: { ...plain.connection, ...(proxy && { proxy }), ...(limits && { limits }) },
    extraHeaders: headers.map((each) => ({ name: each.name, isSet: false })),
    ...(described.value && { interface: described.value }),
    file: { path, name },
  });
}

/** Returns what a server is changed to by a file, as if a person had entered it. */
export function editFromFile(
  named: ResolvedEntry,
  known: StoredRealServer,
): Result<{ entered: ServerDetails & { address: string }; read: ValidatedServerForm }> {
  const described = interfaceFromFile(named, known);
  if (!described.ok) return fail(described.error);
  const { baseUrl, proxy, limits, pinned } = named;
  const moved = baseUrl !== known.baseUrl;
  const connection = { ...known.connection, ...(proxy && { proxy }), ...(limits && { limits }) };
  const isKept = (name: string): boolean =>
    !moved && known.extraHeaders.some((each) => sameName(each.name, name) && each.isSet);
  const names = named.headers ?? (moved ? [] : known.extraHeaders);
  const headers: HeaderChange[] = names.map(({ name }) => ({ name, isSet: isKept(name) }));
  const entered = {
    name: known.name,
    address: baseUrl,
    colour: named.colour ?? known.colour,
    notes: named.notes ?? known.notes,
    registrationPath: named.registrationPath ?? known.registrationPath,
    production: named.production ?? known.production,
    pinned: pinned ? withoutUndefined(pinned) : known.dialect.pinned,
  };
  const read = {
    baseUrl,
    connection,
    secrets: secretChangesOf(connection, {}, known),
    headers,
    validatedInterface: { interface: described.value, given: {} },
    secretOf: async () => undefined,
  };
  return ok({ entered, read });
}

function withoutUndefined<K extends string>(
  values: Partial<Record<K, string | undefined>>,
): Partial<Record<K, string>> {
  const filled = Object.entries<string | undefined>(values).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- What is left has the same names, each with a text.
  return Object.fromEntries(filled) as Partial<Record<K, string>>;
}

/**
 * Writes these servers into a file, without those that run here: every installation has the built-in server, and a double
 * is exported as its model. No value of a header or of a secret variable is in it, no session, no certificate, and nothing
 * of this computer.
 */
export async function formatServersFile(servers: readonly StoredServer[]): Promise<string> {
  const shipped = await shippedInterfaces();
  const names = new Set<string>();
  const written = servers.flatMap((server): WrittenServer[] => {
    if (isLocalServerId(server.id) || server.double) return [];
    const name = unusedName(server.name, names);
    names.add(name);
    return [inFile({ ...server, name }, shipped)];
  });
  const file: ServersFileInput = {
    $schema: `https://llavero.app/schemas/servers-${serversFileVersion}.json`,
    version: serversFileVersion,
    servers: written,
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** A file names each server once. */
function unusedName(name: string, taken: ReadonlySet<string>): string {
  let number = 1;
  const numbered = (): string => (number === 1 ? name : `${name.slice(0, 90)} (${number})`);
  while (taken.has(numbered())) number += 1;
  return numbered();
}

function inFile(server: StoredRealServer, shipped: readonly { id: string; text: string }[]): WrittenServer {
  const { name, baseUrl, colour, notes, registrationPath, production, dialect, connection, extraHeaders } = server;
  const { proxy, limits } = connection;
  const { interface: described } = server;
  const text = described && sharedText(described);
  const known = text === undefined ? undefined : shipped.find((each) => bare(each.text) === text)?.id;
  const missing = described?.variables.filter(({ secret, isSet }) => secret || !isSet) ?? [];
  return {
    name,
    address: baseUrl,
    colour,
    ...(production && { production }),
    ...(text !== undefined && { interface: known ?? objectOf(text) }),
    ...(missing.length > 0 && { variables: byVariable(name, missing) }),
    ...(extraHeaders.length > 0 && { headers: byVariable(name, extraHeaders) }),
    ...(notes !== '' && { notes }),
    ...(registrationPath !== 'registro' && { registrationPath }),
    ...(Object.keys(dialect.pinned).length > 0 && { pinned: dialect.pinned }),
    ...(!isDeepStrictEqual(proxy, none.proxy) && { proxy }),
    ...(!isDeepStrictEqual(limits, none.limits) && { limits }),
  };
}

function objectOf(text: string): Exclude<WrittenServer['interface'], string | undefined> {
  const parsed = parseJson(text);
  return isRecord(parsed) ? parsed : {};
}

/** Names that a command reads by itself, since they begin with `LLAVERO_`. */
const byVariable = (server: string, values: readonly { name: string }[]): Record<string, string> =>
  Object.fromEntries(values.map(({ name }) => [name, ['LLAVERO', inCapitals(server), inCapitals(name)].join('_')]));

const inCapitals = (text: string): string =>
  text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 60)
    .replace(/_$/, '') || 'X';
