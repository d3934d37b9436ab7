import { createHash } from 'node:crypto';
import { join, parse, resolve } from 'node:path';

/** The folder of the service's database, unless another one is given. */
export const DEFAULT_FOLDER = 'llavero-data';
/** The database's name inside a data folder, the same for the application and the commands. */
export const DATABASE_NAME = 'service.sqlite';

/** So many signs of a digest keep two files apart. */
const digestLength = 8;

/** Returns the folder of a double's accounts. Two models with the same file name in different folders have two. */
export function mockDataFolder(modelFile: string): string {
  const digest = createHash('sha256').update(resolve(modelFile)).digest('hex').slice(0, digestLength);
  return join(DEFAULT_FOLDER, 'mocks', `${parse(modelFile).name}-${digest}`);
}
