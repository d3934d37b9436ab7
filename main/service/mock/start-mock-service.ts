import { defaultInterface } from '../../interface/shipped.ts';
import { ApiAdapter } from '../../interface/api-adapter.ts';
import { startService, type Service } from '../server.ts';
import type { MockDefinition } from './mock-definition.ts';

type MockServiceOptions = {
  /** Whether attempts are counted. */
  isLimited: boolean;
  /** 0 for any free one. */
  port: number;
  /** Of its accounts; they are in memory unless given. */
  file?: string;
  /** Origins of web pages that may use it. */
  allowOrigins?: readonly string[];
  /** See `ServiceOptions`. */
  anyCode?: boolean;
};

type Started =
  | { ok: true; service: Service & { addAccount: (account: { email: string; password: string }) => Promise<void> } }
  | { ok: false; message: string };

const sent = ({ method, url, headers, body }: ReturnType<ApiAdapter['request']>): Promise<Response> =>
  fetch(url, {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    ...(body !== undefined && { body }),
  });

/** Starts the mock of a server on loopback, with accounts of its own. */
export async function startMockService(
  mock: MockDefinition,
  { isLimited, port, file = ':memory:', allowOrigins = [], anyCode = false }: MockServiceOptions,
): Promise<Started> {
  const rateLimit = isLimited ? 'on' : 'off';
  const started = await startService({
    database: { file },
    port,
    mock,
    rateLimit,
    anyCode,
    allowOrigins: () => allowOrigins,
  });
  if (!started.ok) return started;
  const { service } = started;

  /** Registers somebody as the original has him, so that a run with his account can be done again here. */
  async function addAccount({ email, password }: { email: string; password: string }): Promise<void> {
    const adapter = new ApiAdapter(mock.interface ?? defaultInterface, service.baseUrl);
    for (const path of adapter.features.registrations) {
      const fields = { name: 'Llavero', email, password, ...(path === 'register' && { cpassword: password }) };
      const before = adapter.csrfRequestIfNeeded(path, {});
      const answer = before && (await sent(before));
      const rawHeaders = answer ? [...answer.headers] : [];
      const credential = adapter.credentialAfter('csrf', { status: 200, rawHeaders, body: '' }, {});
      await sent(adapter.request(path, { fields, credential }));
    }
  }
  return { ok: true, service: { ...service, addAccount } };
}
