import {
  connectionSecrets,
  ConnectionChoices,
  type ConnectionField,
  type ConnectionSecret,
  type EnteredConnection,
  type Way,
} from '../../preload/contract/connection.ts';
import type { FilePurpose } from '../../preload/contract/contract.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { leadsElsewhere } from '../files/path-checks.ts';
import { isNoProxyEntry, parseProxyAddress } from '../client/proxy-route.ts';

/** Secrets by name. An empty text removes one, and an absent one stays as it is. */
export type SecretChanges = Partial<Record<ConnectionSecret, string>>;

type Before = { connection: ConnectionChoices; secrets: readonly ConnectionSecret[] };
type Part<T> = { ok: true; value: T } | { ok: false; field: ConnectionField };

const good = <T>(value: T): Part<T> => ({ ok: true, value });
const wrong = (field: ConnectionField): { ok: false; field: ConnectionField } => ({ ok: false, field });

/** Whether a file may be used for something: a page that was taken over may name any. */
type MayUse = (purpose: FilePurpose, file: string) => boolean;

/**
 * Reads a connection as a person typed it, and what is to happen to its secrets. Answers the first field that cannot be
 * used. A proxy's password goes to no other proxy than the one it was entered for.
 * @param mayUse is asked about every file that is not the server's already; no file is looked for here
 */
export function parseEnteredConnection(
  entered: EnteredConnection,
  mayUse: MayUse,
  before?: Before,
): Result<{ connection: ConnectionChoices; secrets: SecretChanges }> {
  const known = before ? filesIn(before.connection) : {};
  const mayUseFile: MayUse = (purpose, file) =>
    // Of the address of a script, the contract's schema says the same.
    (purpose === 'pac' || !leadsElsewhere(file)) && (known[purpose] === file || mayUse(purpose, file));
  const proxy = proxyOf(entered.proxy, mayUseFile);
  const files = filesOf(entered, mayUseFile);
  const limits = limitsOf(entered.limits);
  for (const part of [proxy, files, limits]) {
    if (!part.ok) return fail({ kind: 'invalid-connection', field: part.field });
  }
  if (!proxy.ok || !files.ok || !limits.ok) throw new Error('a field that cannot be used was let through');
  const connection = { proxy: proxy.value.settings, ...files.value, limits: limits.value };
  const typed = { ...(proxy.value.password !== undefined && { proxyPassword: proxy.value.password }) };
  return ok({ connection, secrets: changesOf(connection, { ...typed, ...entered.secrets }, before) });
}

/** Returns the names of the secrets that are kept after such changes. */
export function secretsAfter(changes: SecretChanges, before: readonly ConnectionSecret[]): ConnectionSecret[] {
  return connectionSecrets.filter((each) => {
    const change = changes[each];
    return change === undefined ? before.includes(each) : change !== '';
  });
}

/** The files of a connection, by what they are for. A script is one if its address says so. */
export function filesIn({
  proxy,
  authority,
  clientCertificate,
}: Pick<Way, 'proxy' | 'authority' | 'clientCertificate'>): Partial<Record<FilePurpose, string>> {
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

function changesOf(connection: ConnectionChoices, entered: SecretChanges, before: Before | undefined): SecretChanges {
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
export function whoAsks({ proxy }: Pick<Way, 'proxy'>): unknown {
  return proxy.mode === 'manual' ? [proxy.proxy, proxy.username] : undefined;
}

type ReadProxy = { settings: ConnectionChoices['proxy']; password?: string };

function proxyOf(entered: EnteredConnection['proxy'], mayUse: MayUse): Part<ReadProxy> {
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
  { authorityFile, clientCertificate }: EnteredConnection,
  mayUse: MayUse,
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
function limitsOf(entered: EnteredConnection['limits']): Part<ConnectionChoices['limits']> {
  const typed = Object.entries(entered).filter(([, text]) => text.trim() !== '');
  const seconds = Object.fromEntries(typed.map(([name, text]) => [name, Number(text.trim().replace(',', '.'))]));
  const read = ConnectionChoices.shape.limits.safeParse(seconds);
  return read.success ? good(read.data) : wrong('limits');
}
