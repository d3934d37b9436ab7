import { describe, expect, it } from 'vitest';
import { provePage } from '../prove/page.ts';
import { makeCertificate } from '../support/certificates.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { fixedSeed } from '../support/fixed-seeds.ts';

const evilIdentity = makeCertificate({ commonName: 'Evil', names: ['127.0.0.4'] });
const bankIdentity = makeCertificate({ commonName: 'Bank', names: ['127.0.0.3'] });

describe('a page that was taken over', () => {
  // Some of `npm run prove -- page`, which plays all pairs and many long rows.
  it.each([
    ['with two calls in a row, of any methods', undefined, 2, 12],
    ['with each pair of calls that take the profile out of the window', ['profile'], 2, 4],
    ['with ten calls in a row about servers, sessions and calls', ['servers', 'sessions', 'session', 'calls'], 10, 16],
  ])('gets no token and no password %s', async (_what, groups, length, rows) => {
    const folder = await makeTemporaryFolder();
    const summary = await provePage({ rows, length, seed: fixedSeed, folder, evilIdentity, bankIdentity, groups });
    expect(summary).toMatchObject({ rows, findings: [], seed: fixedSeed });
    // How many do not fail is chance with so few rows. Hardly any would say that the calls do not arrive.
    expect(summary.succeeded).toBeGreaterThan(rows / 4);
  });
});
