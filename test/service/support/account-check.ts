import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { InterfaceDescription } from '../../../preload/contract/interface.ts';
import type { AccountDefectName } from '../../../preload/contract/names.ts';
import type { RunInput } from '../../../main/check/run.ts';
import type { AccountCall } from '../../../main/interface/account-calls.ts';
import type { Credential } from '../../../main/interface/credential.ts';
import type { PlaceholderValues } from '../../../main/interface/template.ts';
import { ApiAdapter } from '../../../main/interface/api-adapter.ts';
import { readDescription } from '../../../main/interface/read-description.ts';
import { startExtendedService } from '../../../main/service/fault-injection/extended-service.ts';
import { startJsonServer } from '../../support/described-servers.ts';
import { createCheck } from './run-check.ts';
import { cheapArgon2 } from './make-service.ts';

const fixtures = path.resolve(import.meta.dirname, '../../fixtures/account-calls');
const shipped = path.resolve(import.meta.dirname, '../../../main/interface/shipped');

/** One of the descriptions with account calls. */
export async function accountDescription(name: string): Promise<InterfaceDescription> {
  const folder = name === 'llavero-service' ? fixtures : shipped;
  const read = readDescription(await readFile(path.join(folder, `${name}.json`), 'utf8'));
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return read.description;
}

export const accountAdapter = async (name: string, baseUrl: string): Promise<ApiAdapter> =>
  new ApiAdapter(await accountDescription(name), baseUrl);

type Options = {
  description: 'llavero-service' | 'llavero-account-calls';
  defects?: readonly AccountDefectName[];
  /** By how many milliseconds the clock of the service is ahead of that of the check. */
  aheadMs?: number;
  /** Whether each response repeats the body of its request. */
  echo?: boolean;
  /** Responds in the place of the service, where it returns anything. */
  respond?:
    | ((request: { method: string; target: string }) => { status: number; body: unknown } | Promise<never> | undefined)
    | undefined;
  check?: Partial<RunInput>;
  /** Does something at the service before the check is created, and returns what else it is created with. */
  prepare?: (service: Awaited<ReturnType<typeof startAccountService>>) => Promise<Partial<RunInput>>;
};

/** They belong to a connection, and `Date` to the clock. */
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date']);

/** Starts our service with its account calls, and with rules of them broken. */
export async function startAccountService(defects: readonly AccountDefectName[], now: () => number) {
  const started = await startExtendedService({
    database: { file: ':memory:' },
    port: 0,
    argon2: cheapArgon2,
    rateLimit: 'off',
    now,
    faultInjection: {},
    accountCalls: true,
  });
  if (!started.ok) throw new Error(started.message);
  const { service } = started;
  onTestFinished(() => service.close());
  service.faultInjection?.set({ accountDefects: defects });
  return service;
}

/** Starts what stands before a server and sets `Date`, which Node takes from the computer. */
export const startInFront = (
  origin: string,
  nowMs: () => number,
  { echo = false, respond }: Pick<Options, 'echo' | 'respond'> = {},
) =>
  startJsonServer(async ({ method, target, headers, body }) => {
    const own = await respond?.({ method, target });
    if (own) return own;
    const { authorization, 'content-type': type } = headers;
    const response = await fetch(origin + target, {
      method,
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(type !== undefined && { 'content-type': type }),
      },
      ...(body !== '' && { body }),
    });
    const said = await response.text();
    const passed = Array.from(response.headers).filter(([name]) => !hopByHop.has(name));
    const date = { Date: new Date(nowMs()).toUTCString() };
    const echoed = echo && body !== '' ? { 'X-Echo': body.replaceAll(/[^\x20-\x7e]/g, '?') } : {};
    const inBody =
      echo && said.startsWith('{"message"')
        ? said.replace('{"message"', `{"echo":${JSON.stringify(body)},"message"`)
        : said;
    return { status: response.status, body: inBody, headers: { ...Object.fromEntries(passed), ...date, ...echoed } };
  });

/**
 * Starts our service with its account calls, and a check of it. Both are at one clock, which only waits move: the time of
 * codes passes as fast as the test runs.
 */
export async function startAccountCheck({
  description,
  defects = [],
  aheadMs = 0,
  echo = false,
  respond,
  check = {},
  prepare,
}: Options) {
  let ms = 0;
  const startMs = Date.now();
  const serviceMs = (): number => startMs + ms + aheadMs;
  const clock = {
    now: () => ms,
    date: () => startMs + ms,
    sleep: async (time: number, signal?: AbortSignal) => {
      if (!signal?.aborted) ms += time;
    },
  };
  const service = await startAccountService(defects, serviceMs);
  const { baseUrl } = await startInFront(service.baseUrl, serviceMs, { echo, respond });
  const adapter = await accountAdapter(description, baseUrl);
  const more = await prepare?.(service);
  const run = createCheck(baseUrl, { adapter, clock, ...check, ...more });
  return { ...run, service, clock, serviceMs, virtualMs: () => ms };
}

/** Sends what an adapter builds, and reads what it is answered, with nothing else of ours between. */
export async function createAccountCaller(name: string, baseUrl: string) {
  const adapter = await accountAdapter(name, baseUrl);
  const { secondFactor } = adapter;

  async function send({ method, url, headers, body }: ReturnType<ApiAdapter['request']>) {
    const response = await fetch(url, {
      method,
      headers: headers.map(([key, value]) => [key, value]),
      body: body ?? null,
    });
    return { status: response.status, rawHeaders: [...response.headers], body: await response.text() };
  }

  const account = (call: AccountCall, fields: PlaceholderValues, credential: Credential) =>
    send(adapter.accountRequest(call, { fields, credential }));

  async function login(fields: PlaceholderValues) {
    const response = await send(adapter.request('login', { fields }));
    const pending = secondFactor.pendingLogin('login', response);
    return { response, pending, session: adapter.credentialAfter('login', response, {}, { fields }) };
  }

  /** What the profile says of a session. */
  async function profile(credential: Credential): Promise<'served' | 'unauthenticated' | number> {
    const { status, body } = await send(adapter.request('profile', { credential }));
    if (adapter.isUnauthenticated(status, body)) return 'unauthenticated';
    return status === 200 ? 'served' : status;
  }

  return { adapter, secondFactor, send, account, login, profile };
}
