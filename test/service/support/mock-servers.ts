import { onTestFinished } from 'vitest';
import { CaseId } from '../../../preload/contract/report-cases.ts';
import type { MockDefinition } from '../../../main/service/mock/mock-definition.ts';
import {
  startExtendedService,
  type ExtendedService,
  type ExtendedServiceOptions,
} from '../../../main/service/fault-injection/extended-service.ts';
import { measureAndLearn, startOriginal, type Haste } from '../../prove/mocks.ts';
import { standingClock } from './run-check.ts';
import { cheapArgon2 } from './make-service.ts';

/** `npm run prove -- mocks` takes its time, and looks at times, too. */
const slow: ReadonlySet<CaseId> = new Set(['login.told-apart-by-time', 'limits.throttling']);

/** How a mock server is proved within a test. */
export const haste: Haste = {
  argon2: cheapArgon2,
  clock: standingClock(),
  options: { only: CaseId.options.filter((id) => !slow.has(id) && !id.startsWith('races.')) },
};

/** Starts a mock server, which ends with the test. */
export async function startMock(
  mock: MockDefinition,
  options: Partial<ExtendedServiceOptions> = {},
): Promise<ExtendedService> {
  const started = await startExtendedService({
    database: { file: ':memory:' },
    port: 0,
    argon2: cheapArgon2,
    rateLimit: 'off',
    mock,
    ...options,
  });
  if (!started.ok) throw new Error(started.message);
  onTestFinished(() => started.service.close());
  return started.service;
}

/** Measures a server of this name, and learns its model. */
export async function learnFrom(name: string, more: Haste = haste): ReturnType<typeof measureAndLearn> {
  const original = await startOriginal(name, more);
  try {
    return await measureAndLearn(original.baseUrl, more);
  } finally {
    await original.close();
  }
}

/** Returns a model with a change. */
export function changed(model: MockDefinition, change: (copy: MockDefinition) => void): MockDefinition {
  const copy = structuredClone(model);
  change(copy);
  return copy;
}

/** Enough to be somebody at a mock server, for tests that change its rules themselves. */
export const briefly: Haste = {
  ...haste,
  options: {
    only: ['login.right-credentials', 'login.wrong-password', 'profile.served', 'logout.served', 'token.missing'],
  },
};
