import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ServerDetails } from '../../../preload/contract/models.ts';
import { ok, type Result } from '../../../preload/contract/result.ts';
import { sameName } from '../../client/extra-headers.ts';
import type { ResolvedEntry } from '../../servers-file/read-servers-file.ts';
import {
  createStoredServer,
  withoutSecretVariables,
  type StoredInterface,
  type StoredRealServer,
  type StoredServer,
} from '../config/config.ts';
import { isMoved } from './consent.ts';
import { isExportedAs } from './export-servers.ts';
import { createStoredInterface, enteredVariables, storedSecretNames } from './interface-form.ts';
import { defaultNameAndColour } from './server-defaults.ts';
import { secretChangesOf, toStoredHeaders, type ValidatedServerForm } from './server-form.ts';

/** What the form of a server would be saved with. */
export type ServerEdit = { known: StoredRealServer; entered: ServerDetails; form: ValidatedServerForm };

/**
 * Returns the server of an entry under a new id, without any value and without an approved origin.
 * @param others decide its colour
 */
export function createServerFromFile(entry: ResolvedEntry, others: readonly StoredServer[]): Result<StoredRealServer> {
  const described = interfaceFromFile(entry);
  if (!described.ok) return described;
  const { name, baseUrl, headers = [], colour, production, notes, registrationPath, pinned, proxy, limits } = entry;
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
  });
}

/** Returns the change of a server to its entry. What the entry does not name stays as it is. */
export function editFromFile(entry: ResolvedEntry, known: StoredRealServer): Result<ServerEdit> {
  const described = interfaceFromFile(entry, known);
  if (!described.ok) return described;
  const { baseUrl, proxy, limits, pinned } = entry;
  const moved = baseUrl !== known.baseUrl;
  const connection = { ...known.connection, ...(proxy && { proxy }), ...(limits && { limits }) };
  const hasValue = (name: string): boolean =>
    !moved && known.extraHeaders.some((each) => sameName(each.name, name) && each.isSet);
  const headers = entry.headers ?? (moved ? [] : known.extraHeaders);
  const before = detailsOf(known);
  const entered = {
    name: before.name,
    colour: entry.colour ?? before.colour,
    notes: entry.notes ?? before.notes,
    registrationPath: entry.registrationPath ?? before.registrationPath,
    production: entry.production ?? before.production,
    pinned: pinned ? withoutUndefined(pinned) : before.pinned,
  };
  const form = {
    baseUrl,
    connection,
    secrets: secretChangesOf(connection, {}, known),
    headers: headers.map(({ name }) => ({ name, isSet: hasValue(name) })),
    validatedInterface: { interface: described.value, given: {} },
    secretOf: async () => undefined,
  };
  return ok({ known, entered, form });
}

/** Whether an edit changes anything. */
export const hasChanges = ({ known, entered, form }: ServerEdit): boolean =>
  isMoved(known, form) ||
  !isDeepStrictEqual(
    [form.connection, toStoredHeaders(form.headers), entered],
    [known.connection, known.extraHeaders, detailsOf(known)],
  );

function detailsOf(server: StoredRealServer): ServerDetails {
  const { name, colour, notes, registrationPath, production, dialect } = server;
  return { name, colour, notes, registrationPath, production, pinned: dialect.pinned };
}

/** Variables keep what was entered for them here. The others are asked for: the window reads no environment. */
function interfaceFromFile(entry: ResolvedEntry, known?: StoredRealServer): Result<StoredInterface | undefined> {
  const moved = known !== undefined && known.baseUrl !== entry.baseUrl;
  const before = known?.interface && moved ? withoutSecretVariables(known.interface) : known?.interface;
  if (!entry.interface) return ok(before);
  const { text } = entry.interface;
  if (text === '') return ok(undefined);
  if (before && isExportedAs(before, text)) return ok(before);
  const create = (values: Readonly<Record<string, string>>) =>
    createStoredInterface(text, entry.baseUrl, values, {
      kept: before ? storedSecretNames(before) : [],
      mayMiss: true,
    });
  const withValues = create(before ? enteredVariables(before) : {});
  // What was entered for another description may not fit this one.
  const created = withValues.ok ? withValues : create({});
  return created.ok ? ok(created.value.interface) : created;
}

function withoutUndefined<K extends string>(
  values: Partial<Record<K, string | undefined>>,
): Partial<Record<K, string>> {
  const filled = Object.entries<string | undefined>(values).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- What is left has the same names, each with a text.
  return Object.fromEntries(filled) as Partial<Record<K, string>>;
}
