import { createHash } from 'node:crypto';
import { join, parse, resolve } from 'node:path';

/** The default folder of the service's database. */
export const DEFAULT_FOLDER = 'llavero-data';
/** The file name of the database, for the application and the commands. */
export const DATABASE_NAME = 'service.sqlite';

const digestLength = 8;

/** The folder of a mock's accounts. Mock files of the same name in different folders have different ones. */
export function mockDataFolder(modelFile: string): string {
  const digest = createHash('sha256').update(resolve(modelFile)).digest('hex').slice(0, digestLength);
  return join(DEFAULT_FOLDER, 'mocks', `${parse(modelFile).name}-${digest}`);
}
