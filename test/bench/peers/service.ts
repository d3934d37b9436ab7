import { z } from 'zod';
import { wrongs, isWrongName } from '../../../main/service/behaviour/wrongs.ts';
import { startService } from '../../../main/service/server.ts';
import { announce, argument } from './announce.ts';

const { file, wrong } = z.object({ file: z.string(), wrong: z.string().optional() }).parse(argument());
const modes = Object.keys(wrongs).filter(isWrongName);

const started = await startService({
  database: { file },
  port: 0,
  rateLimit: 'off',
  log: (line) => process.stderr.write(`${line}\n`),
  ...(wrong !== undefined && { behaviour: { wrong: modes.filter((name) => name === wrong) } }),
});
if (!started.ok) throw new Error(started.message);
announce({ baseUrl: started.service.baseUrl });
