import { useState } from 'react';
import type { InterfaceReading, ShippedInterface } from '../../../preload/contract/connection.ts';
import type { FoundInterface, InterfaceFinding } from '../../../preload/contract/interface.ts';
import { api } from '../../api.ts';
import { useLoaded } from '../../use-loaded.ts';
import { type Choice, missingOf, nothingChosen, textOfDraft } from './drafted.ts';
import { useReading, useTextRead } from './use-interface-reading.ts';

/** Where a text comes from. Of a file the window gets what was found, and not the text. */
export type Given = { from: 'text'; text: string } | { from: 'file'; finding: InterfaceFinding };

/** A shipped description that has the log-in of a text. */
export type Fit = Pick<ShippedInterface, 'id' | 'name' | 'text' | 'proved'>;

const own: Fit = { id: 'llavero', name: 'Llavero', text: '' };

/** Reads what is given, and keeps what a person chooses of it. Nothing of it counts. */
export function useImport(given: Given | undefined) {
  const shipped = useLoaded(api.interfaces.shipped).value;
  const { read, error } = useTextRead(given?.from === 'text' ? given.text : undefined);
  const [chosen, setChosen] = useState<{ of: InterfaceFinding | undefined; choice: Choice }>();
  const finding = given?.from === 'file' ? given.finding : read?.finding;
  const described = read?.reading;
  const found = finding?.kind === 'found' ? finding : undefined;
  const choice = chosen && chosen.of === finding ? chosen.choice : nothingChosen;
  const isCertain = found !== undefined && found.shipped.length > 0;
  const fits = found && shipped ? fitsOf(isCertain ? found.shipped : found.possible, shipped) : [];
  const used = fits.find(({ id }, index) => (choice.use ? id === choice.use : isCertain && index === 0));
  const drafted = found && shipped ? (used?.text ?? textOfDraft(found, choice)) : undefined;
  const candidate = described?.readable && given?.from === 'text' ? given.text : drafted;
  const shown = useReading(candidate);
  const missing = found && !used ? missingOf(found, choice) : [];
  const isCurrent = candidate !== undefined && shown.of === candidate;
  return {
    finding,
    found,
    /** What is wrong with a description, or with what was made of a text. */
    faults: faultsOf(described, isCurrent ? shown.reading : undefined),
    /** Those whose log-in it is, or could be as much as that of others. */
    fits,
    isCertain,
    /** Their names, where they are to be marked as what fits the server. */
    fitting: isCertain ? fits.map(({ name }) => name) : [],
    used,
    choice,
    choose: (part: Partial<Choice>) => setChosen({ of: finding, choice: { ...choice, ...part } }),
    missing,
    error,
    isReading: given?.from === 'text' && given.text.trim() !== '' && !read && !error,
    reading: isCurrent && shown.reading?.readable ? shown.reading : undefined,
    /** What would be used now. */
    usable: isCurrent && shown.reading?.readable && missing.length === 0 ? candidate : undefined,
  };
}

export type Import = ReturnType<typeof useImport>;

const fitsOf = (names: FoundInterface['shipped'], shipped: readonly ShippedInterface[]): Fit[] =>
  names.flatMap((wanted) => (wanted === own.id ? own : (shipped.find(({ id }) => id === wanted) ?? [])));

const faultsOf = (...readings: (InterfaceReading | undefined)[]) =>
  readings.flatMap((each) => (each && !each.readable ? each.faults : []));
