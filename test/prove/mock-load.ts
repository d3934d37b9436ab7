import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { formatMockFile } from '../../main/check/mock-generator/generate-mock.ts';
import type { MockDefinition, TokenForm } from '../../main/service/mock/mock-definition.ts';
import { PROFILE_PATH, profileHeaders, signInTo } from '../bench/requests.ts';
import { rateOf } from '../bench/rate.ts';
import { proveCrash } from './crash.ts';
import type { CrashSummary } from './crash-record.ts';
import { measureAndLearn, startOriginal, type Haste } from './mocks.ts';
import { forkService } from './run-service.ts';

/** Tokens that do not say their id are the harder ones to keep. */
const hexadecimal: TokenForm = { kind: 'opaque', hasId: false, segments: [{ of: 'hex', count: 40 }], calls: [] };

/** Learns the service, and writes the model of a mock server of it whose tokens say no id. */
async function writeModelOfService(folder: string, haste: Haste = {}): Promise<string> {
  const original = await startOriginal('service', haste);
  try {
    const { model } = await measureAndLearn(original.baseUrl, haste);
    const withoutIds: MockDefinition = { ...model, token: hexadecimal };
    const file = path.join(folder, 'service-model.json');
    writeFileSync(file, formatMockFile(withoutIds));
    return file;
  } finally {
    await original.close();
  }
}

/** The rates of a mock server by those of the service, round by round, and the middle one of them. */
type MockRates = { rounds: number; service: number[]; mock: number[]; ratio: number };

const middleOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Asks the service and its mock server for a profile in turns, so that what else runs on the machine meets both alike. */
export async function measureMockRates(
  folder: string,
  model: string,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<MockRates> {
  const service = forkService({ file: path.join(folder, 'rates-service.sqlite') });
  const mockServer = forkService({ file: path.join(folder, 'rates-mock.sqlite') }, model);
  const rates: { service: number[]; mock: number[] } = { service: [], mock: [] };
  try {
    const targets = await Promise.all(
      (
        [
          ['service', service],
          ['mock', mockServer],
        ] as const
      ).map(async ([name, each]) => {
        const baseUrl = await each.ready();
        return { name, url: baseUrl + PROFILE_PATH, headers: profileHeaders(await signInTo(baseUrl)) };
      }),
    );
    for (let round = 0; round < rounds; round += 1) {
      for (const { name, url, headers } of round % 2 === 0 ? targets : targets.toReversed()) {
        rates[name].push(Math.round((await rateOf(url, headers, seconds)).perSecond));
      }
    }
  } finally {
    await Promise.all([service.stop(), mockServer.stop()]);
  }
  const ratios = rates.mock.map((rate, at) => rate / (rates.service[at] ?? rate));
  return { rounds, ...rates, ratio: Math.round(middleOf(ratios) * 100) / 100 };
}

type Options = { folder: string; rounds: number; operations: number; seed: number; haste?: Haste };

/** Kills a mock server under load as the service is killed, and looks for all that it had answered. */
export async function proveMockCrash({ folder, rounds, operations, seed, haste }: Options): Promise<CrashSummary> {
  const model = await writeModelOfService(folder, haste);
  const database = { file: path.join(folder, 'mock.sqlite') };
  return proveCrash({ engine: 'sqlite', database, model, rounds, operations, seed });
}
