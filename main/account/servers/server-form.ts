import { pathToFileURL } from 'node:url';
import {
  connectionSecrets,
  ConnectionChoices,
  type ConnectionField,
  type ConnectionSecret,
  type ConnectionInput,
  type ExtraHeader,
} from '../../../preload/contract/connection.ts';
import type { ServerInput, FilePurpose } from '../../../preload/contract/contract.ts';
import type { ServerDetails } from '../../../preload/contract/models.ts';
import type { ResponseMapping } from '../../../preload/contract/settings.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import { parseBaseUrl } from '../../client/base-url.ts';
import { headersProblem, sameName, trimmedHeader } from '../../client/extra-headers.ts';
import { isNoProxyEntry, parseProxyAddress } from '../../client/proxy-route.ts';
import { createTrust } from '../../client/trust.ts';
import { isNetworkPath } from '../../files/path-checks.ts';
import { pastedPathSuffixes, validateInterfaceForm, type ValidatedInterface } from './interface-form.ts';
import type { StoredRealServer, StoredMockServer } from '../config/config.ts';
import { builtInId } from '../config/server-ids.ts';

/** Gives a secret of one connection when it is needed. */
export type ReadSecret = (secret: ConnectionSecret) => Promise<string | undefined>;

/** A server as it will be reached, and what is to happen to what the vault keeps for it. */
export type ValidatedServerForm = {
  baseUrl: string;
  connection: ConnectionChoices;
  secrets: SecretChanges;
  headers: HeaderChange[];
  validatedInterface: ValidatedInterface;
  /** The secrets of the connection as they will be. */
  secretOf: ReadSecret;
};

/** Secrets by name. An empty text removes one, and an absent one stays as it is. */
type SecretChanges = Partial<Record<ConnectionSecret, string>>;

type Before = { connection: ConnectionChoices; secrets: readonly ConnectionSecret[] };
type Part<T> = { ok: true; value: T } | { ok: false; field: ConnectionField };

const good = <T>(value: T): Part<T> => ({ ok: true, value });
const wrong = (field: ConnectionField): { ok: false; field: ConnectionField } => ({ ok: false, field });

/** Whether a file may be used for something: a page that was taken over may name any. */
type IsFileAllowed = (purpose: FilePurpose, file: string) => boolean;

/** `value` is absent when the stored one stays, or when there is no value. */
export type HeaderChange = { name: string; value?: string | undefined; isSet: boolean };

export type ServerFormInput = Pick<ServerInput, 'address' | 'enteredConnection' | 'enteredInterface'>;

/**
 * Reads what was typed of how a server is reached, or says which field cannot be used. A connection that was not typed
 * stays as it was. Its files are read here, so that one that cannot be used is not saved.
 * @param before the server as it is stored; undefined for a new one
 */
export async function validateServerForm(
  { address, enteredConnection, enteredInterface }: ServerFormInput,
  before: StoredRealServer | undefined,
  {
    mayUse,
    stored,
  }: { mayUse: IsFileAllowed; stored: (serverId: string, secret: ConnectionSecret) => ReturnType<ReadSecret> },
): Promise<Result<ValidatedServerForm>> {
  const isBuiltIn = before?.id === builtInId;
  const pasted = pastedPathSuffixes(enteredInterface, before?.interface);
  const baseUrl = isBuiltIn ? ok('') : parseServerAddress(address, before?.baseUrl, pasted);
  if (!baseUrl.ok) return baseUrl;
  const entered = isBuiltIn ? undefined : enteredConnection;
  const secretsStay: SecretChanges = {};
  const kept = { connection: before?.connection ?? ConnectionChoices.parse({}), secrets: secretsStay };
  const parsed = entered ? validateConnectionForm(entered, mayUse, before) : ok(kept);
  if (!parsed.ok) return parsed;
  const { connection, secrets } = parsed.value;
  const secretOf: ReadSecret = async (secret) => {
    const changed = secrets[secret];
    if (changed !== undefined) return changed === '' ? undefined : changed;
    return before?.secrets.includes(secret) ? stored(before.id, secret) : undefined;
  };
  const usable = entered ? await readFiles(connection, secretOf) : ok(null);
  if (!usable.ok) return usable;
  const moved = before !== undefined && baseUrl.value !== before.baseUrl;
  const headers = readHeaders(entered?.headers, before?.extraHeaders ?? [], moved);
  if (!headers.ok) return headers;
  const where = { baseUrl: baseUrl.value, moved };
  const described = validateInterfaceForm(isBuiltIn ? undefined : enteredInterface, before?.interface, where);
  if (!described.ok) return described;
  return ok({ ...where, connection, secrets, headers: headers.value, validatedInterface: described.value, secretOf });
}

/** Fails with what is wrong with a file that a connection names. */
async function readFiles(
  { authority, clientCertificate }: ConnectionChoices,
  secretOf: ReadSecret,
): Promise<Result<null>> {
  const read = await createTrust({
    ...(authority && { authority }),
    ...(clientCertificate && { clientCertificate }),
    passphrase: () => secretOf('passphrase'),
    systemCertificates: () => [],
  }).forServer();
  return read.ok ? ok(null) : fail(read.failure);
}

/**
 * Reads the address that was typed. An unchanged address is not parsed again, which could take a part of its path
 * for the interface's.
 * @param pasted what is cut off in the place of the interface's own path, for a server of another one
 */
export function parseServerAddress(entered: string, current?: string, pasted?: readonly string[]): Result<string> {
  if (entered.trim() === current) return ok(current);
  const parsed = parseBaseUrl(entered, pasted);
  return parsed.ok ? ok(parsed.value) : fail({ kind: 'invalid-address', problem: parsed.problem });
}

/**
 * Reads a connection as a person typed it, and what is to happen to its secrets. Answers the first field that cannot be
 * used. A proxy's password goes to no other proxy than the one it was entered for.
 * @param mayUse is asked about every file that is not the server's already; no file is looked for here
 */
export function validateConnectionForm(
  entered: ConnectionInput,
  mayUse: IsFileAllowed,
  before?: Before,
): Result<{ connection: ConnectionChoices; secrets: SecretChanges }> {
  const known = before ? connectionFiles(before.connection) : {};
  const mayUseFile: IsFileAllowed = (purpose, file) =>
    // Of the address of a script, the contract's schema says the same.
    (purpose === 'pac' || !isNetworkPath(file)) && (known[purpose] === file || mayUse(purpose, file));
  const proxy = proxyOf(entered.proxy, mayUseFile);
  const files = filesOf(entered, mayUseFile);
  const limits = limitsOf(entered.limits);
  for (const part of [proxy, files, limits]) {
    if (!part.ok) return fail({ kind: 'invalid-connection', field: part.field });
  }
  if (!proxy.ok || !files.ok || !limits.ok) throw new Error('a field that cannot be used was let through');
  const connection = { proxy: proxy.value.settings, ...files.value, limits: limits.value };
  const typed = { ...(proxy.value.password !== undefined && { proxyPassword: proxy.value.password }) };
  return ok({ connection, secrets: secretChangesOf(connection, { ...typed, ...entered.secrets }, before) });
}

/** Returns the names of the secrets that are kept after such changes. */
export function storedSecretsAfter(changes: SecretChanges, before: readonly ConnectionSecret[]): ConnectionSecret[] {
  return connectionSecrets.filter((each) => {
    const change = changes[each];
    return change === undefined ? before.includes(each) : change !== '';
  });
}

/** The files of a connection, by what they are for. A script is one if its address says so. */
export function connectionFiles({
  proxy,
  authority,
  clientCertificate,
}: Pick<ConnectionChoices, 'proxy' | 'authority' | 'clientCertificate'>): Partial<Record<FilePurpose, string>> {
  const files: Partial<Record<FilePurpose, string>> = {};
  if (proxy.mode === 'pac' && isFileAddress(proxy.url)) files.pac = proxy.url;
  if (authority && 'file' in authority) files.authority = authority.file;
  if (clientCertificate?.form === 'pfx') files.pfx = clientCertificate.file;
  if (clientCertificate?.form === 'pem') {
    files.certificate = clientCertificate.certificateFile;
    files.key = clientCertificate.keyFile;
  }
  return files;
}

const isFileAddress = (url: string): boolean => new URL(url).protocol === 'file:';

/** What happens to the secrets of a connection: each is for one proxy or certificate. */
export function secretChangesOf(
  connection: ConnectionChoices,
  entered: SecretChanges,
  before: Before | undefined,
): SecretChanges {
  const { proxy, clientCertificate } = connection;
  const asks = proxy.mode === 'manual' && proxy.username !== undefined;
  const changes: SecretChanges = {};
  const sameProxy =
    before !== undefined && JSON.stringify(whoAsks(before.connection)) === JSON.stringify(whoAsks(connection));
  const proxyPassword = asks ? (entered.proxyPassword ?? (sameProxy ? undefined : '')) : '';
  const passphrase = clientCertificate ? entered.passphrase : '';
  if (proxyPassword !== undefined) changes.proxyPassword = proxyPassword;
  if (passphrase !== undefined) changes.passphrase = passphrase;
  return changes;
}

/** Who gets the password of a proxy. */
function whoAsks({ proxy }: ConnectionChoices): unknown {
  return proxy.mode === 'manual' ? [proxy.proxy, proxy.username] : undefined;
}

type ReadProxy = { settings: ConnectionChoices['proxy']; password?: string };

function proxyOf(entered: ConnectionInput['proxy'], mayUse: IsFileAllowed): Part<ReadProxy> {
  switch (entered.mode) {
    case 'system':
    case 'none':
      return good({ settings: entered });
    case 'pac': {
      const url = entered.url.trim();
      // A password in the address would be stored in clear, and be shown.
      if (!URL.canParse(url) || new URL(url).username !== '' || new URL(url).password !== '') return wrong('pac');
      if (isFileAddress(url) && !mayUse('pac', url)) return wrong('pac');
      const read = ConnectionChoices.shape.proxy.safeParse({ mode: 'pac', url });
      return read.success ? good({ settings: read.data }) : wrong('pac');
    }
    case 'manual': {
      const address = parseProxyAddress(entered.address);
      if (!address.ok) return wrong('proxy');
      const username = entered.username.trim() || address.username;
      if (username === undefined ? address.password !== undefined : username.length > 255)
        return wrong('proxyUsername');
      const noProxy = entered.noProxy.split(/[\s,;]+/).filter((entry) => entry !== '');
      if (noProxy.length > 200 || !noProxy.every(isNoProxyEntry)) return wrong('noProxy');
      return good({
        settings: { mode: 'manual', proxy: address.proxy, ...(username !== undefined && { username }), noProxy },
        ...(address.password !== undefined && { password: address.password }),
      });
    }
    default:
      return entered satisfies never;
  }
}

function filesOf(
  { authorityFile, clientCertificate }: ConnectionInput,
  mayUse: IsFileAllowed,
): Part<Pick<ConnectionChoices, 'authority' | 'clientCertificate'>> {
  if (authorityFile !== '' && !mayUse('authority', authorityFile)) return wrong('authorityFile');
  const authority = authorityFile === '' ? {} : { authority: { file: authorityFile } };
  if (clientCertificate.form === 'none') return good(authority);
  const mayUseAll =
    clientCertificate.form === 'pfx'
      ? mayUse('pfx', clientCertificate.file)
      : mayUse('certificate', clientCertificate.certificateFile) && mayUse('key', clientCertificate.keyFile);
  return mayUseAll ? good({ ...authority, clientCertificate }) : wrong('clientCertificate');
}

/** Reads seconds, with a decimal point or comma. An empty text is the default. */
function limitsOf(entered: ConnectionInput['limits']): Part<ConnectionChoices['limits']> {
  const typed = Object.entries(entered).filter(([, text]) => text.trim() !== '');
  const seconds = Object.fromEntries(typed.map(([name, text]) => [name, Number(text.trim().replace(',', '.'))]));
  const read = ConnectionChoices.shape.limits.safeParse(seconds);
  return read.success ? good(read.data) : wrong('limits');
}

/**
 * Reads the headers of a form. Rows in which nothing was entered are left out. At another address there is nothing to
 * keep: a row with the name alone is dropped.
 * @param before the headers at the earlier address
 */
function readHeaders(
  entered: ConnectionInput['headers'],
  before: readonly ExtraHeader[],
  moved: boolean,
): Result<HeaderChange[]> {
  const known = (name: string): ExtraHeader | undefined => before.find((each) => sameName(each.name, name));
  if (!entered) return ok(moved ? [] : before.map(({ name, isSet }) => ({ name, isSet })));
  const rows = entered.map((each, row) => ({ ...trimmedHeader(each), row, isKept: known(each.name) !== undefined }));
  const filled = rows.filter(({ name, value }) => name !== '' || value !== '');
  const wrong = headersProblem(filled);
  if (wrong) return fail({ kind: 'invalid-header', ...wrong, row: filled[wrong.row]?.row ?? wrong.row });
  const changes = filled.map(({ name, value }) =>
    value === '' ? { name, isSet: known(name)?.isSet ?? false } : { name, value, isSet: true },
  );
  return ok(moved ? changes.filter(({ value }) => value !== undefined) : changes);
}

/** Returns what is stored of headers once they were changed. */
export const toStoredHeaders = (changes: readonly HeaderChange[]): ExtraHeader[] =>
  changes.map(({ name, isSet }) => ({ name, isSet }));

/** Returns what is stored of a server once its form was filled in. `found` is what the form does not hold. */
export function toStoredServer(
  id: string,
  entered: ServerDetails,
  baseUrl: string,
  found: Pick<StoredRealServer, 'pins' | 'connection' | 'secrets' | 'extraHeaders' | 'agreed' | 'interface'> & {
    learned: ResponseMapping['learned'];
  },
): StoredRealServer {
  const { name, colour, notes, registrationPath, production, pinned } = entered;
  const { pins, connection, secrets, extraHeaders, agreed, learned, interface: described } = found;
  return {
    id,
    name: id === builtInId ? '' : name.trim(),
    baseUrl,
    colour,
    notes,
    registrationPath,
    // The built-in server has nothing to protect, since it is on this computer only.
    production: production && id !== builtInId,
    pins,
    connection,
    secrets,
    extraHeaders,
    dialect: { learned, pinned: withoutEmpty(pinned) },
    agreed,
    ...(described && { interface: described }),
  };
}

/** A place that was emptied is not named any more. */
function withoutEmpty(pinned: ResponseMapping['pinned']): ResponseMapping['pinned'] {
  return Object.fromEntries(Object.entries(pinned).filter(([, place]) => place !== ''));
}

/** A mock server keeps its address. */
export function applyFormToMockServer(known: StoredMockServer, entered: ServerInput): StoredMockServer {
  const { name, colour, notes, registrationPath, pinned } = entered;
  const dialect = { ...known.dialect, pinned: withoutEmpty(pinned) };
  return { ...known, name: name.trim() || known.name, colour, notes, registrationPath, dialect };
}

/** The files of connections that a person chose in main's own dialog, in this run and for what each was chosen. */
export class ChosenFiles {
  readonly #chosen = new Set<string>();

  /** Answers the file as the form has it: a script as an address, anything else as a path. */
  add(purpose: FilePurpose, file: string): string {
    const asEntered = purpose === 'pac' ? pathToFileURL(file).href : file;
    this.#chosen.add(keyOf(purpose, asEntered));
    return asEntered;
  }

  has(purpose: FilePurpose, file: string): boolean {
    return this.#chosen.has(keyOf(purpose, file));
  }

  forget(): void {
    this.#chosen.clear();
  }
}

const keyOf = (purpose: FilePurpose, file: string): string => JSON.stringify([purpose, file]);
