import { expect, it } from 'vitest';
import { z } from 'zod';
import { methodNames } from '../../preload/contract/channels.ts';
import { makeCertificate } from '../support/certificates.ts';
import { folder, given, print, say } from './given.ts';
import { provePage, type PageSummary } from './page.ts';

const { rounds, seed } = given({ rounds: z.number(), seed: z.number() });

const always = {
  evilIdentity: makeCertificate({ commonName: 'Evil', names: ['127.0.0.4'] }),
  bankIdentity: makeCertificate({ commonName: 'Bank', names: ['127.0.0.3'] }),
  seed,
  folder,
  onProgress({ rows, findings }: PageSummary): void {
    if (rows % 500 === 0) say([`  ${rows} rows`, ...findings].join('\n  '));
  },
};
const hot = ['servers', 'sessions', 'session', 'calls'];

it.each([
  ['all pairs of methods', { rows: methodNames.length ** 2, length: 2 }],
  ['rows of ten', { rows: rounds, length: 10, groups: hot }],
])('a page that an attacker controls gets nothing by %s', async (which, played) => {
  say(`page: ${which}, ${played.rows} rows, --seed ${seed}`);
  const summary = await provePage({ ...always, ...played });
  print(summary);
  expect(summary.findings).toEqual([]);
});
