import { useState } from 'react';
import type { EnteredInterface, InterfaceGuess, ShippedInterface } from '../../../preload/contract/connection.ts';
import type { FoundInterface, FoundPart, InterfaceFinding } from '../../../preload/contract/interface.ts';
import { api } from '../../api.ts';
import { useQuery } from '../../use-query.ts';
import { type CallName, type CallOption, optionsOf, textOfDraft } from './interface-draft.ts';
import { type JsonObject, readObject } from './found/description.ts';
import { useReading, useTextRead } from './use-interface-reading.ts';

/** Where a text comes from. Of a file the window gets what was found, and not the text. */
export type Given =
  | { from: 'text'; text: string }
  | { from: 'file'; finding: InterfaceFinding; name?: string | undefined }
  /** The description that a server has, to be edited. */
  | { from: 'saved'; text: string; guesses: readonly InterfaceGuess[] };

/** A shipped description that has the log-in of a text. */
export type Fit = Pick<ShippedInterface, 'id' | 'name' | 'text' | 'proved'>;

/** A description that is looked at and edited part by part. Nothing of it counts before it is used. */
export interface OpenImport {
  text: string;
  setText: (text: string) => void;
  /** As it was found. */
  first: JsonObject | undefined;
  parts: readonly FoundPart[];
  others: Partial<Record<CallName, readonly CallOption[]>>;
  addresses: FoundInterface['addresses'];
  address: string;
  /** The address that the text is for. */
  said: string | undefined;
  /** Whether the text says that the address is in production. */
  production: boolean;
  setAddress: (address: string, production: boolean) => void;
  /** The calls by which a trial of this text has logged in. */
  works: readonly string[] | undefined;
  /** Told of a text by which a login worked, and of the calls that it took. */
  setWorks: (text: string, calls: readonly string[]) => void;
}

const own: Fit = { id: 'llavero', name: 'Llavero', text: '' };

/** What a person chose of what is given. It goes with that. */
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
 * Reads what is given, and keeps what a person makes of it.
 * @param formAddress the address that the server has already, which stays
 */
export function useImport(given: Given | undefined, formAddress: string) {
  const shipped = useQuery(api.interfaces.shipped).data;
  const { read, error } = useTextRead(given?.from === 'text' ? given.text : undefined);
  const [kept, setChosen] = useState<Chosen>();
  const finding = given?.from === 'file' ? given.finding : read?.finding;
  const described = read?.reading;
  const found = finding?.kind === 'found' ? finding : undefined;
  const of = given?.from === 'saved' ? given : found;
  const chosen: Chosen = kept && kept.of === of ? kept : { of };
  const isCertain = found !== undefined && found.shipped.length > 0;
  const fits = found && shipped ? fitsOf(isCertain ? found.shipped : found.possible, shipped) : [];
  const used = fits.find(({ id }, index) => (chosen.use ? id === chosen.use : isCertain && index === 0));
  const first =
    given?.from === 'saved' ? given.text : found && shipped ? (used?.text ?? textOfDraft(found)) : undefined;
  // What our own calls are is said by no text.
  const isOwn = used?.id === own.id;
  const text = chosen.text ?? first;
  const candidate = described?.readable && given?.from === 'text' ? given.text : text;
  const shown = useReading(candidate);
  const isCurrent = candidate !== undefined && shown.of === candidate;
  // What was read last stays until the next is, so that nothing comes and goes with each key.
  const last = candidate === undefined ? undefined : shown.reading;
  const open: OpenImport | undefined =
    text === undefined || first === undefined || isOwn
      ? undefined
      : {
          text,
          setText: (next) => setChosen({ ...chosen, text: next }),
          first: readObject(first),
          parts:
            given?.from === 'saved'
              ? given.guesses.map((each) => ({ ...each, is: 'guess' }))
              : partsOf(found, used !== undefined, formAddress),
          others: found && !used ? optionsOf(found) : {},
          addresses: found?.addresses ?? [],
          said: found?.address,
          ...addressOf(chosen, found, formAddress),
          setAddress: (address, production) => setChosen({ ...chosen, address: { address, production } }),
          works: chosen.works?.text === text ? chosen.works.calls : undefined,
          setWorks: (tried, calls) =>
            setChosen((last) => ({ ...(last?.of === of && last), of, works: { text: tried, calls } })),
        };
  return {
    finding,
    found,
    open,
    /** What is wrong with a description that was given as a text. */
    faults: described && !described.readable ? described.faults : [],
    /** What is wrong with what was made of it. */
    openFaults: last?.readable === false ? last.faults : [],
    /** Those whose log-in it is, or could be as much as that of others. */
    fits,
    isCertain,
    /** Their names, where they are to be marked as what fits the server. */
    fitting: isCertain ? fits.map(({ name }) => name) : [],
    used,
    choose: (use: string) => setChosen({ ...chosen, use, text: undefined }),
    error,
    isReading: given?.from === 'text' && given.text.trim() !== '' && !read && !error,
    reading: last?.readable ? last : undefined,
    /** Whether what is told of the description is of its text as it is now. */
    isSettled: isCurrent,
    /** What would be used now. */
    usable: isCurrent && shown.reading?.readable ? candidate : undefined,
  };
}

export type Import = ReturnType<typeof useImport>;

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

const fitsOf = (names: FoundInterface['shipped'], shipped: readonly ShippedInterface[]): Fit[] =>
  names.flatMap((wanted) => (wanted === own.id ? own : (shipped.find(({ id }) => id === wanted) ?? [])));
