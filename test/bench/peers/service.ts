import { z } from 'zod';
import { startExtendedService } from '../../../main/service/fault-injection/extended-service.ts';
import { defectNames } from '../../../preload/contract/names.ts';
import { announce, argument } from './announce.ts';

const { file, wrong } = z.object({ file: z.string(), wrong: z.string().optional() }).parse(argument());
const modes = defectNames;

const started = await startExtendedService({
  database: { file },
  port: 0,
  rateLimit: 'off',
  log: (line) => process.stderr.write(`${line}\n`),
  ...(wrong !== undefined && { faultInjection: { defects: modes.filter((name) => name === wrong) } }),
});
if (!started.ok) throw new Error(started.message);
announce({ baseUrl: started.service.baseUrl });
