import { describe, expect, it } from 'vitest';
import { knownOf } from '../../servers/all-known.ts';
import { compareLines } from '../../servers/compare-lines.ts';
import { journeyOf } from '../../servers/journey.ts';
import { report, serversAskedFor, startFor } from '../../servers/servers-asked-for.ts';
import { launchApp } from '../../support/launch-app.ts';

// `npm run prove -- servers` does the same at every server of test/servers/.
describe('a person at a server that was made as its framework teaches', () => {
  it.for(serversAskedFor)('%s: sees what its author knows', { timeout: 300_000 }, async (name, test) => {
    const server = await startFor(test, name);
    const since = performance.now();
    const known = knownOf[name];
    // A person is asked about three new servers a minute at most.
    const { page } = await launchApp();
    const compared = compareLines(await journeyOf(page, server.origin, known), known.journey, known.gaps?.journey);
    report(name, 'journey', compared, since);
    expect(compared.differences).toEqual([]);
  });
});
