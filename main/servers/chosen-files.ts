import { pathToFileURL } from 'node:url';
import type { FilePurpose } from '../../preload/contract/contract.ts';

export type ChosenFiles = ReturnType<typeof createChosenFiles>;

/** The files of connections that a person chose in main's own dialog, in this run and for what each was chosen. */
export function createChosenFiles() {
  const chosen = new Set<string>();
  const keyOf = (purpose: FilePurpose, file: string): string => JSON.stringify([purpose, file]);

  return {
    /** Answers the file as the form has it: a script as an address, anything else as a path. */
    add(purpose: FilePurpose, file: string): string {
      const asEntered = purpose === 'pac' ? pathToFileURL(file).href : file;
      chosen.add(keyOf(purpose, asEntered));
      return asEntered;
    },

    has: (purpose: FilePurpose, file: string): boolean => chosen.has(keyOf(purpose, file)),
    forget: (): void => chosen.clear(),
  };
}
