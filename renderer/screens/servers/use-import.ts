import { createContext, useContext, useEffect, useState } from 'react';
import type {
  EnteredInterface,
  InterfaceGuess,
  InterfaceReading,
  ShippedInterface,
} from '../../../preload/contract/connection.ts';
import type { FoundInterface, FoundPart, InterfaceFinding } from '../../../preload/contract/interface.ts';
import type { Result } from '../../../preload/contract/result.ts';
import type { UnfinishedImport } from '../../../preload/contract/unfinished-import.ts';
import { api } from '../../api.ts';
import { useQuery } from '../../use-query.ts';
import { readObject } from './found/description.ts';
import { guessesOf } from './found/part-marks.ts';
import { callOptions, type EditedImport, serialize } from './interface-draft.ts';

/** Where a text comes from. Of a file the window gets what was found, and not the text. */
export type Source =
  | { from: 'text'; text: string }
  | { from: 'file'; finding: InterfaceFinding; name?: string | undefined }
  /** The description that a server has, to be edited. */
  | { from: 'saved'; text: string; guesses: readonly InterfaceGuess[] };

/** A shipped description that has the log-in of a text. */
export type Match = Pick<ShippedInterface, 'id' | 'name' | 'text' | 'proved'>;

const own: Match = { id: 'llavero', name: 'Llavero', text: '' };

/** What a person chose of a source. It goes with that. */
interface Chosen {
  of: object | undefined;
  /** The id of a shipped description, or `draft` for the calls of the text alone. */
  use?: string | undefined;
  text?: string | undefined;
  /** The text that a trial has logged in by, and its calls. */
  works?: { text: string; calls: readonly string[] } | undefined;
  address?: { address: string; production: boolean } | undefined;
}

/**
 * Reads a source, and holds what a person makes of it.
 * @param setSource called with another text, or with undefined where the import is closed
 * @param formAddress the address that the server has already, which stays
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
  // What our own calls are is said by no text.
  const isOwn = used?.id === own.id;
  const text = chosen.text ?? first;
  const candidate = described?.readable && source?.from === 'text' ? source.text : text;
  const shown = useReading(candidate);
  const isCurrent = candidate !== undefined && shown.of === candidate;
  // What was read last stays until the next is, so that nothing comes and goes with each key.
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
          said: found?.address,
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
    /** What is wrong with a description that was given as a text. */
    faults: described && !described.readable ? described.faults : [],
    /** What is wrong with what was made of it. */
    editedFaults: last?.readable === false ? last.faults : [],
    /** The shipped descriptions that have this login, or could have it as much as others. */
    matches,
    isCertain,
    /** Their names, where they are to be marked as what matches the server. */
    matchingNames: isCertain ? matches.map(({ name }) => name) : [],
    used,
    choose: (use: string) => setChosen({ ...chosen, use, text: undefined }),
    error,
    isReading: source?.from === 'text' && source.text.trim() !== '' && !read && !error,
    reading: last?.readable ? last : undefined,
    /** Whether the reading is of the text as it is now. */
    isSettled: isCurrent,
    /** What would be used now. */
    usable: isCurrent && shown.reading?.readable ? candidate : undefined,
  };
}

export type Import = ReturnType<typeof useImport>;

export const ImportContext = createContext<Import | undefined>(undefined);

/** Returns the import around a component. Throws outside of its panel, which is a bug. */
export function useImportContext(): Import {
  const imported = useContext(ImportContext);
  if (!imported) throw new Error('It needs the panel of an import around it.');
  return imported;
}

/** Returns what was typed for the variables that a description has. */
export const valuesFor = (reading: Import['reading'], typed: EnteredInterface['variables']) =>
  typed.filter((each) => reading?.interface.variables.some(({ name }) => name === each.name));

/** Of a shipped description only the address is what a text says; one that the server has already is sure. */
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

/** What main need not be asked. Its own `ok` would bring its schemas into the page. */
export const succeed = <T>(value: T): Result<T> => ({ ok: true, value });

/** In characters. Main takes no longer text, as a description and to look into. */
const longestRead = 65_536;
const maxTextLength = 10_000_000;

/** Reads the text of a description. The answer names the text that it is of. */
export function useReading(text: string | undefined) {
  const { data } = useQuery<{ of: string; reading: InterfaceReading } | undefined>(async () => {
    if (text === undefined) return succeed(undefined);
    const read = await readDescription(text);
    return read.ok ? succeed({ of: text, reading: read.value }) : read;
  }, text);
  const readable = data?.reading.readable ? data.reading.interface : undefined;
  return { of: data?.of, reading: data?.reading, readable };
}

async function readDescription(text: string): Promise<Result<InterfaceReading>> {
  if (text.length <= longestRead) return api.interfaces.read({ text });
  return succeed({ readable: false, faults: [{ problem: 'too-large', at: '' }] });
}

/** What a text is: a description with what is right or wrong with it, or something in which calls were looked for. */
interface TextRead {
  of: string;
  reading?: InterfaceReading;
  finding?: InterfaceFinding;
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

/** A text is looked into once nobody has typed for as long. */
const settledMs = 250;

/** Reads a text of any kind once nobody types. */
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
 * Keeps what was found for a server until it is used or discarded, and returns what was kept before.
 * @param serverId undefined for a server that is not created yet
 */
export function useUnfinished(serverId: string | undefined, imported: Import) {
  const { source } = imported;
  const { data, reload } = useQuery(() => api.interfaces.unfinished({ serverId }), serverId);
  const serialized = imported.found ? JSON.stringify(unfinishedOf(serverId, imported)) : undefined;
  useEffect(() => {
    if (serialized === undefined) return;
    void api.interfaces.keepUnfinished({ json: serialized }).then(() => reload());
  }, [serialized, reload]);
  return {
    unfinished: source ? undefined : data?.found,
    drop: () => void api.interfaces.dropUnfinished({ serverId }).then(() => reload()),
  };
}

/** Returns what is kept: no text, no value of a variable, and nothing while the description cannot be read. */
function unfinishedOf(serverId: string | undefined, { source, edited, found, isSettled, editedFaults }: Import) {
  const draft = edited && readObject(edited.text);
  // A call that is still to be added is what makes it unfinished.
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

/** Returns an unfinished import as if it had just been found. */
export const resumedSource = ({ address, name, ...unfinished }: UnfinishedImport): Source => ({
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
