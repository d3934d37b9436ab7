import { ConnectionChoices, type EnteredConnection } from '../../preload/contract/connection.ts';
import type { EnteredServer } from '../../preload/contract/contract.ts';
import type { Dialect } from '../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { parseBaseUrl } from '../client/base-url.ts';
import { createTrust } from '../client/trust.ts';
import { builtInId, type ServerElsewhere } from '../config/config.ts';
import { nameOfAddress } from './name-of-address.ts';
import type { ChosenFiles } from './chosen-files.ts';
import type { ConnectionSecrets } from './connection-secrets.ts';
import { parseEnteredConnection, type SecretChanges } from './entered-connection.ts';
import type { SecretOf } from './transports.ts';

export type ReadConnection = { connection: ConnectionChoices; changes: SecretChanges; secretOf: SecretOf };

/**
 * Reads the address that was typed. The address of before stays as it is: parsing it anew could take a part of its path
 * for the interface's.
 */
export function addressOf(entered: string, current?: string): Result<string> {
  if (entered.trim() === current) return ok(current);
  const parsed = parseBaseUrl(entered);
  return parsed.ok ? ok(parsed.value) : fail({ kind: 'invalid-address', problem: parsed.problem });
}

/** Returns the secrets of a connection as they will be after such changes. */
export function secretsOf(
  changes: SecretChanges,
  before: ServerElsewhere | undefined,
  secrets: Pick<ConnectionSecrets, 'read'>,
): SecretOf {
  return async (secret) => {
    const changed = changes[secret];
    if (changed !== undefined) return changed === '' ? undefined : changed;
    return before?.secrets.includes(secret) ? secrets.read(before.id, secret) : undefined;
  };
}

/**
 * Returns a connection as it will be used: as entered, else as it was. Its files are read here, so that one that cannot
 * be used is not saved.
 */
export async function readConnection(
  entered: EnteredConnection | undefined,
  before: ServerElsewhere | undefined,
  { secrets, chosenFiles }: { secrets: Pick<ConnectionSecrets, 'read'>; chosenFiles: Pick<ChosenFiles, 'has'> },
): Promise<Result<ReadConnection>> {
  if (!entered) {
    const connection = before?.connection ?? ConnectionChoices.parse({});
    return ok({ connection, changes: {}, secretOf: secretsOf({}, before, secrets) });
  }
  const parsed = parseEnteredConnection(entered, chosenFiles.has, before);
  if (!parsed.ok) return parsed;
  const { connection, secrets: changes } = parsed.value;
  const { authority, clientCertificate } = connection;
  const secretOf = secretsOf(changes, before, secrets);
  const read = await createTrust({
    ...(authority && { authority }),
    ...(clientCertificate && { clientCertificate }),
    passphrase: () => secretOf('passphrase'),
    systemCertificates: () => [],
  }).forServer();
  return read.ok ? ok({ connection, changes, secretOf }) : fail(read.failure);
}

/** Returns what is stored of a server once its form was filled in. `found` is what the form does not hold. */
export function entryOf(
  id: string,
  entered: EnteredServer,
  baseUrl: string,
  found: Pick<ServerElsewhere, 'pins' | 'connection' | 'secrets' | 'extraHeaders' | 'agreed'> & {
    learned: Dialect['learned'];
  },
): ServerElsewhere {
  const { name, colour, notes, registrationPath, production, pinned } = entered;
  const { pins, connection, secrets, extraHeaders, agreed, learned } = found;
  return {
    id,
    name: id === builtInId ? '' : name.trim() || nameOfAddress(baseUrl),
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
  };
}

/** A place that was emptied is not named any more. */
export function withoutEmpty(pinned: Dialect['pinned']): Dialect['pinned'] {
  return Object.fromEntries(Object.entries(pinned).filter(([, place]) => place !== ''));
}
