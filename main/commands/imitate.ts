import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { runImitate } from './imitate-command.ts';

// This file is beside dist/ when it runs.
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')));

process.exitCode = await runImitate(process.argv.slice(2), version);
