import { expect, it } from 'vitest';
import { proveOrca } from '../../prove/orca.ts';
import { journey } from '../../prove/orca-journey.ts';
import { whyNoScreenReader } from '../../support/orca/screen-reader.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

// It takes most of a minute, and hears wrong where the machine is busy.
const why = process.env['LLAVERO_TEST_ORCA'] === '1' ? await whyNoScreenReader() : 'LLAVERO_TEST_ORCA=1 asks for it';
if (why !== undefined) console.log(`Skipped: what a screen reader says, since ${why}.`);

/** `npm run prove -- orca` goes on from here. */
const steps = journey.findIndex(({ does }) => does === 'types a name');

it.skipIf(why !== undefined)('Orca says what is kept of the first steps of its journey', async () => {
  const display = process.env['DISPLAY'] ?? '';
  const { findings } = await proveOrca({ folder: await makeTemporaryFolder(), display, steps });
  expect(findings).toEqual([]);
});
