import { expect, it } from 'vitest';
import type { RunOptions } from '../../../preload/contract/report.ts';
import { knownOf } from '../../servers/all-known.ts';
import { compareLines } from '../../servers/compare-lines.ts';
import { runLines } from '../../servers/run-lines.ts';
import { isWhole, report, serversAskedFor, startFor } from '../../servers/servers-asked-for.ts';
import { createCheck } from '../../service/support/run-check.ts';

/** These cost few passwords, which is what takes a server's time. `npm run prove -- servers` asks everything. */
const few: Partial<RunOptions> = {
  only: [
    'registration.repeated-email',
    'login.answer',
    'token.lifetime',
    'logout.same-token-afterwards',
    'errors.form',
  ],
};

it.for(serversAskedFor)('a run at %s says what its author knows', { timeout: 600_000 }, async (name, test) => {
  const server = await startFor(test, name);
  const since = performance.now();
  const { registersAt, run, gaps } = knownOf[name];
  const { start } = createCheck(server.origin, { options: isWhole ? { accounts: 40 } : few });
  const lines = runLines(await start(), registersAt, isWhole);
  const compared = compareLines(lines, run, gaps?.run);
  report(name, 'check', compared, since);
  expect(compared.differences).toEqual([]);
  expect(compared.lines).toBeGreaterThanOrEqual(8);
});
