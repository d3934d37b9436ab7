import { z } from 'zod';
import { defaultArgon2Cost } from '../../../main/service/domain/passwords.ts';
import { startService } from '../../../main/service/server.ts';
import { announce, argument } from './announce.ts';

/** This is the least that Argon2 allows (RFC 9106 section 3.1), for figures that do not measure the hashing. */
const leastArgon2Cost = { memoryKiB: 8, passes: 1, lanes: 1 };

const { file, argon2 } = z.object({ file: z.string(), argon2: z.enum(['default', 'least']) }).parse(argument());

const started = await startService({
  database: { file },
  port: 0,
  rateLimit: 'off',
  argon2: argon2 === 'least' ? leastArgon2Cost : defaultArgon2Cost,
  log: (line) => process.stderr.write(`${line}\n`),
});
if (!started.ok) throw new Error(started.message);
announce({ baseUrl: started.service.baseUrl });
