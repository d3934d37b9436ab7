import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { createTransport } from '../../main/client/transport.ts';
import { tryDescription } from '../../main/tools/trial/try-description.ts';
import { readDescription } from '../../main/interface/read-description.ts';
import { ApiAdapter } from '../../main/interface/api-adapter.ts';
import type { InterfaceGuess } from '../../preload/contract/connection.ts';
import type { TrialAccount } from '../../preload/contract/trial.ts';
import { startJsonServer } from './described-servers.ts';

export const account = { is: 'typed', email: 'ana@example.test', password: 'Pw9-of-ana-at-home' } as const;
const body = { email: '{{email}}', password: '{{password}}' };

/** A description of what every server here has, with what a test says otherwise. */
export const description = (other: object = {}, calls: object = {}) => ({
  name: 'Small',
  calls: { login: { path: '/login', body }, profile: { path: '/me' }, ...calls },
  ...other,
});

export type TrialAnswer = Awaited<ReturnType<Parameters<typeof startJsonServer>[0]>>;
type Headers = Parameters<Parameters<typeof startJsonServer>[0]>[0]['headers'];

/** How a small server is. `issued` is the token of its one session. */
export type Kind = {
  login?: string;
  profile?: string;
  method?: string;
  reads?: 'json' | 'form';
  fields?: readonly string[];
  within?: string;
  gives?: (token: string) => Partial<TrialAnswer>;
  carries?: (headers: Headers, token: string) => boolean;
  refuses?: (token: string) => Partial<TrialAnswer>;
  lacks?: (fields: readonly string[]) => Partial<TrialAnswer>;
  elsewhere?: (target: string, method: string) => Partial<TrialAnswer> | undefined;
};

export async function startKind({
  login = '/login',
  profile = '/me',
  method = 'POST',
  reads = 'json',
  fields = ['email', 'password'],
  within,
  gives = (token) => ({ body: { token } }),
  carries = (headers, token) => headers.authorization === `Bearer ${token}`,
  refuses = () => ({ body: { message: 'Unauthorized' } }),
  lacks = (lacking) => ({
    status: 422,
    body: { errors: Object.fromEntries(lacking.map((each) => [each, ['is required']])) },
  }),
  elsewhere = () => undefined,
}: Kind) {
  const issued = `t0k-${randomUUID()}`;
  const server = await startJsonServer(({ target, headers, method: asked, body: text }) => {
    const special = elsewhere(target, asked);
    if (special) return { status: 404, ...special };
    if (target === profile && asked === 'GET') {
      if (carries(headers, issued)) return { status: 200, body: { id: 1, email: account.email } };
      return { status: 401, ...refuses(issued) };
    }
    if (target === login && asked === method) {
      const isForm = headers['content-type']?.includes('urlencoded') ?? false;
      if (isForm !== (reads === 'form')) return { status: 415, body: { message: 'Unsupported Media Type' } };
      const whole = isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text);
      const sent = within === undefined ? whole : whole[within];
      if (sent === undefined)
        return { status: 400, body: { error: `param is missing or the value is empty: ${within}` } };
      const lacking = fields.filter((each) => sent[each] === undefined);
      if (lacking.length > 0) return { status: 422, ...lacks(lacking) };
      return { status: 200, ...gives(issued) };
    }
    return { status: 404, body: { error: 'Not found' } };
  });
  return { ...server, issued };
}

export async function trying(
  baseUrl: string,
  text: string,
  {
    variables = {},
    account: as = account,
    guesses,
  }: {
    variables?: Record<string, string> | undefined;
    account?: TrialAccount;
    guesses?: readonly InterfaceGuess[] | undefined;
  } = {},
) {
  const transport = createTransport();
  onTestFinished(() => transport.close());
  const read = readDescription(text);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const adapter = new ApiAdapter(read.description, baseUrl, variables);
  const trial = await tryDescription({ transport, adapter, text, account: as, guesses });
  return trial;
}

/** Tries a description at a server that is asked for nothing but its profile after the log-in. */
export async function refusedWith(
  refusal: Partial<TrialAnswer> | ((token: string) => Partial<TrialAnswer>),
  wrong: object = description(),
) {
  const refuses = typeof refusal === 'function' ? refusal : () => refusal;
  const { baseUrl, issued } = await startKind({ carries: () => false, refuses });
  const trial = await trying(baseUrl, JSON.stringify(wrong));
  return { ...trial, issued, values: trial.proposals.map(({ value }) => value) };
}
