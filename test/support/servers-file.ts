import type { Main } from './make-main.ts';

/** Imports the servers file that the user chooses, as the window does it first. */
export const importFile = ({ servers }: Pick<Main, 'servers'>) => servers.fileImport.run({ again: false });

/** A file of servers. */
export const fileOf = (...servers: object[]): string => JSON.stringify({ version: 1, servers });
