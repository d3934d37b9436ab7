import type { Main } from './make-main.ts';

/** Opens the file that the person chose, and takes over what it says, if it can be read. */
export async function openAndTake({ servers }: Pick<Main, 'servers'>) {
  const opened = await servers.files.open();
  const reading = opened.ok ? opened.value.reading : undefined;
  const isOther = reading?.readable && reading.added.length + reading.changed.length + reading.gone.length > 0;
  return { reading, taken: isOther ? await servers.files.apply(reading.key) : undefined };
}

/** A file of servers. */
export const fileOf = (...servers: object[]): string => JSON.stringify({ version: 1, servers });
