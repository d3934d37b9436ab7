import type { ConnectionReport } from '../../../preload/contract/models.ts';
import { sendAndInterpret } from '../../client/interpret.ts';
import { defaultInterface } from '../../interface/shipped.ts';
import { ApiAdapter } from '../../interface/api-adapter.ts';
import { addedValues } from '../../client/extra-headers.ts';
import { appErrorOfFailure } from '../../client/map-error.ts';
import type { Interpretation } from '../../client/parse-response.ts';
import { header } from '../../client/reading/headers.ts';
import type { Transport } from '../../client/transport.ts';
import { createSecretFinder } from '../../client/secrets/mask-secrets.ts';

type Answered = Extract<ConnectionReport, { reached: true }>['answered'];
type Rule = { answered: Answered; when: (status: number, reading: Interpretation) => boolean };

/** The first rule that holds decides. */
const rules: readonly Rule[] = [
  { answered: 'profile-without-token', when: (_status, { verdict }) => verdict === 'ok' },
  { answered: 'captive-portal', when: (_status, { trace }) => trace.inBetween?.what === 'captive-portal' },
  { answered: 'protection-page', when: (_status, { trace }) => trace.inBetween?.what === 'protection-page' },
  { answered: 'redirect', when: (status) => status >= 300 && status < 400 },
  { answered: 'web-page', when: (_status, { trace }) => trace.body.form === 'html' },
  { answered: 'asks-for-token', when: (_status, { verdict }) => verdict === 'ended' },
  { answered: 'path-missing', when: (status) => status === 404 || status === 405 },
  { answered: 'server-fault', when: (status) => status >= 500 },
  { answered: 'something-else', when: () => true },
];

const longestSoftware = 100;

/**
 * Looks at what answers at an address, with one request for the profile without a token: it creates nothing and carries
 * no credentials. `baseUrl` is a value of `parseBaseUrl`.
 */
export async function runConnectionTest(
  transport: Pick<Transport, 'send'>,
  baseUrl: string,
  signal?: AbortSignal,
  adapter = new ApiAdapter(defaultInterface, baseUrl),
): Promise<ConnectionReport> {
  const result = await sendAndInterpret(transport, adapter.request('profile'), 'profile', { adapter }, { signal });
  if (!result.ok) return { reached: false, error: appErrorOfFailure(result.failure) };
  const { response, interpretation } = result.understood;
  const { status, headers } = response;
  const { hide } = createSecretFinder(addedValues(result.call));
  const software = header(headers, 'server');
  return {
    reached: true,
    baseUrl,
    secure: baseUrl.startsWith('https:'),
    status,
    milliseconds: Math.round(result.call.timings.totalMs),
    answered: rules.find(({ when }) => when(status, interpretation))?.answered ?? 'something-else',
    ...(software !== undefined && { software: hide(software).slice(0, longestSoftware) }),
  };
}
