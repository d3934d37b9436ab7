import { createContext, useContext, useEffect, useState } from 'react';
import type {
  InterfaceInput,
  InterfaceGuess,
  InterfacePreview,
  ShippedInterface,
} from '../../../preload/contract/connection.ts';
import type { FoundInterface, FoundPart, ImportResult } from '../../../preload/contract/interface.ts';
import type { Result } from '../../../preload/contract/result.ts';
import type { ImportDraft } from '../../../preload/contract/import-draft.ts';
import { api } from '../../api.ts';
import { useQuery } from '../../use-query.ts';
import { readObject } from './found/description.ts';
import { guessesOf } from './found/part-marks.ts';
import { callOptions, type EditedImport, serialize } from './interface-draft.ts';

/** Source of an import. Of a file, the window gets what was found, and not its text. */
export type Source =
  | { from: 'text'; text: string }
  | { from: 'file'; finding: ImportResult; name?: string | undefined }
  /** The saved description, to be edited. */
  | { from: 'saved'; text: string; guesses: readonly InterfaceGuess[] };

/** A shipped description with the login of a text. */
export type Match = Pick<ShippedInterface, 'id' | 'name' | 'text' | 'proved'>;

const own: Match = { id: 'llavero', name: 'Llavero', text: '' };

/** Choices of the user, discarded with their source. */
interface Chosen {
  of: object | undefined;
  /** Id of a shipped description, or `draft` for the requests of the text. */
  use?: string | undefined;
  text?: string | undefined;
  /** The text of a trial that logged in, and its calls. */
  works?: { text: string; calls: readonly string[] } | undefined;
  address?: { address: string; production: boolean } | undefined;
}

/**
 * Reads the source of an import, and holds the edits of the user.
 * @param setSource called with another source, or with undefined to close the import
 * @param formAddress the address in the form of the server, which is not changed
 */
export function useImport(
  source: Source | undefined,
  setSource: (source: Source | undefined) => void,
  formAddress: string,
) {
  const shipped = useQuery(api.interfaces.shipped).data;
  const { read, error } = useTextRead(source?.from === 'text' ? source.text : undefined);
  const [kept, setChosen] = useState<Chosen>();
  const finding = source?.from === 'file' ? source.finding : read?.finding;
  const described = read?.reading;
  const found = finding?.kind === 'found' ? finding : undefined;
  const of = source?.from === 'saved' ? source : found;
  const chosen: Chosen = kept && kept.of === of ? kept : { of };
  const isCertain = found !== undefined && found.shipped.length > 0;
  const matches = found && shipped ? matchesOf(isCertain ? found.shipped : found.possible, shipped) : [];
  const used = matches.find(({ id }, index) => (chosen.use ? id === chosen.use : isCertain && index === 0));
  const first =
    source?.from === 'saved' ? source.text : found && shipped ? (used?.text ?? serialize(found)) : undefined;
  // No description has the calls of our own API type, so there is no text to edit.
  const isOwn = used?.id === own.id;
  const text = chosen.text ?? first;
  const candidate = described?.readable && source?.from === 'text' ? source.text : text;
  const shown = useReading(candidate);
  const isCurrent = candidate !== undefined && shown.of === candidate;
  // The last reading stays until the next one, so that nothing flickers with each key.
  const last = candidate === undefined ? undefined : shown.reading;
  const edited: EditedImport | undefined =
    text === undefined || first === undefined || isOwn
      ? undefined
      : {
          text,
          setText: (next) => setChosen({ ...chosen, text: next }),
          first: readObject(first),
          parts:
            source?.from === 'saved'
              ? source.guesses.map((each) => ({ ...each, is: 'guess' }))
              : partsOf(found, used !== undefined, formAddress),
          others: found && !used ? callOptions(found) : {},
          addresses: found?.addresses ?? [],
          importedAddress: found?.address,
          ...addressOf(chosen, found, formAddress),
          setAddress: (address, production) => setChosen({ ...chosen, address: { address, production } }),
          works: chosen.works?.text === text ? chosen.works.calls : undefined,
          setWorks: (tried, calls) =>
            setChosen((last) => ({ ...(last?.of === of && last), of, works: { text: tried, calls } })),
        };
  return {
    source,
    setSource,
    finding,
    found,
    edited,
    /** Faults of a pasted description. */
    faults: described && !described.readable ? described.faults : [],
    /** Faults of the edited description. */
    editedFaults: last?.readable === false ? last.faults : [],
    /** Shipped descriptions with this login, or else those that may have it. */
    matches,
    isCertain,
    /** Names of certain matches, to be marked in the list of API types. */
    matchingNames: isCertain ? matches.map(({ name }) => name) : [],
    used,
    choose: (use: string) => setChosen({ ...chosen, use, text: undefined }),
    error,
    isReading: source?.from === 'text' && source.text.trim() !== '' && !read && !error,
    reading: last?.readable ? last : undefined,
    /** False while a newer text is being read. */
    isSettled: isCurrent,
    /** The description to use; undefined while it is invalid or not read yet. */
    usable: isCurrent && shown.reading?.readable ? candidate : undefined,
  };
}

export type Import = ReturnType<typeof useImport>;

export const ImportContext = createContext<Import | undefined>(undefined);

/** The import of the surrounding panel. Throws if there is none, which is a bug. */
export function useImportContext(): Import {
  const imported = useContext(ImportContext);
  if (!imported) throw new Error('It needs the panel of an import around it.');
  return imported;
}

/** The typed values of the variables that the description has. */
export const valuesFor = (reading: Import['reading'], typed: InterfaceInput['variables']) =>
  typed.filter((each) => reading?.interface.variables.some(({ name }) => name === each.name));

/** With a shipped description only the address comes from the text. An address in the form is certain. */
function partsOf(found: FoundInterface | undefined, isShipped: boolean, formAddress: string): readonly FoundPart[] {
  return (found?.parts ?? []).filter(({ at }) => (at === 'address' ? formAddress === '' : !isShipped));
}

function addressOf({ address: typed }: Chosen, found: FoundInterface | undefined, formAddress: string) {
  if (typed) return typed;
  const address = formAddress === '' ? (found?.address ?? '') : formAddress;
  const isProduction = found?.addresses.some((each) => each.address === address && each.production) ?? false;
  return { address, production: isProduction };
}

const matchesOf = (names: FoundInterface['shipped'], shipped: readonly ShippedInterface[]): Match[] =>
  names.flatMap((wanted) => (wanted === own.id ? own : (shipped.find(({ id }) => id === wanted) ?? [])));

/** Result without a request to main. Importing `ok` would bundle the schemas of the contract into the page. */
export const succeed = <T>(value: T): Result<T> => ({ ok: true, value });

/** In characters: limits of main for a description, and for a text to search. */
const longestRead = 65_536;
const maxTextLength = 10_000_000;

/** Reads a description. `of` is the text of the reading, which may be older than the argument. */
export function useReading(text: string | undefined) {
  const { data } = useQuery<{ of: string; reading: InterfacePreview } | undefined>(async () => {
    if (text === undefined) return succeed(undefined);
    const read = await readDescription(text);
    return read.ok ? succeed({ of: text, reading: read.value }) : read;
  }, text);
  const readable = data?.reading.readable ? data.reading.interface : undefined;
  return { of: data?.of, reading: data?.reading, readable };
}

async function readDescription(text: string): Promise<Result<InterfacePreview>> {
  if (text.length <= longestRead) return api.interfaces.read({ text });
  return succeed({ readable: false, faults: [{ problem: 'too-large', at: '' }] });
}

/** Either a description with its faults, or what was found in any other text. */
interface TextRead {
  of: string;
  reading?: InterfacePreview;
  finding?: ImportResult;
}

async function readText(text: string): Promise<Result<TextRead>> {
  if (text.trim() === '') return succeed({ of: text });
  if (text.length > maxTextLength) {
    return succeed({ of: text, finding: { kind: 'too-large', mostBytes: maxTextLength } });
  }
  const read = await readDescription(text);
  if (!read.ok) return read;
  if (read.value.readable) return succeed({ of: text, reading: read.value });
  const found = await api.interfaces.find({ text });
  if (!found.ok) return found;
  const looksLikeDescription = /^\s*\{/.test(text) && text.includes('"calls"');
  const isDescription = found.value.kind === 'unknown-format' && looksLikeDescription;
  return succeed({ of: text, ...(isDescription ? { reading: read.value } : { finding: found.value }) });
}

/** Pause after the last key before a text is read. */
const settledMs = 250;

/** Reads a text of any format, debounced. */
function useTextRead(text: string | undefined) {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settledMs);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, error } = useQuery<TextRead | undefined>(
    async () => (settled === undefined ? succeed(undefined) : readText(settled)),
    settled,
  );
  const isRead = data?.of === text && settled === text;
  return { read: isRead ? data : undefined, error: settled === text ? error : undefined };
}

/**
 * Stores an import until it is used or discarded, and returns a stored one.
 * @param serverId undefined for a new server
 */
export function useUnfinished(serverId: string | undefined, imported: Import) {
  const { source } = imported;
  const { data, reload } = useQuery(() => api.interfaces.importDraft({ serverId }), serverId);
  const serialized = imported.found ? JSON.stringify(unfinishedOf(serverId, imported)) : undefined;
  useEffect(() => {
    if (serialized === undefined) return;
    void api.interfaces.saveImportDraft({ json: serialized }).then(() => reload());
  }, [serialized, reload]);
  return {
    unfinished: source ? undefined : data?.found,
    drop: () => void api.interfaces.discardImportDraft({ serverId }).then(() => reload()),
  };
}

/** The stored import: no pasted text, no values of variables, and nothing while the description is invalid. */
function unfinishedOf(serverId: string | undefined, { source, edited, found, isSettled, editedFaults }: Import) {
  const draft = edited && readObject(edited.text);
  // A missing login or profile is what makes it unfinished.
  const isReadable = editedFaults.every(
    ({ problem, at }) => problem === 'missing' && /^calls\.(?:login|profile)$/.test(at),
  );
  if (!edited || !found || !draft || !isSettled || !isReadable) return undefined;
  const others = Object.entries(edited.others).map(([name, options]) => [
    name,
    options.flatMap(({ call, from }) => (from === undefined ? [] : [{ call, from }])),
  ]);
  return {
    serverId,
    format: found.format,
    name: source?.from === 'file' ? source.name : undefined,
    draft,
    parts: guessesOf(edited).map(({ at, why }) => ({ at, why, is: 'guess' })),
    others: Object.fromEntries(others),
    addresses: edited.addresses,
    address: edited.address,
  };
}

/** A stored import as a source, as if it was just found. */
export const resumedSource = ({ address, name, ...unfinished }: ImportDraft): Source => ({
  from: 'file',
  name,
  finding: {
    kind: 'found',
    ...unfinished,
    ...(address !== '' && { address }),
    missing: [],
    shipped: [],
    possible: [],
    dropped: [],
  },
});
