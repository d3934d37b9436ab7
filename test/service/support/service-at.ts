import { onTestFinished } from 'vitest';
import { createClient } from '../../../main/client/client.ts';
import { createTransport } from '../../../main/client/transport.ts';
import { readDescription } from '../../../main/interface/read-description.ts';
import { shippedInterface } from '../../../main/interface/shipped.ts';
import { ApiAdapter } from '../../../main/interface/api-adapter.ts';
import { startService, type ServiceOptions } from '../../../main/service/server.ts';
import type { InterfaceDescription } from '../../../preload/contract/interface.ts';
import { cheapArgon2 } from './make-service.ts';

/** Our own service or a mock server at an interface, with the client of that. */
export async function serviceAt(
  description: InterfaceDescription,
  { mock, ...options }: Partial<Pick<ServiceOptions, 'mock' | 'database' | 'now' | 'tokenLifetimeSeconds'>> = {},
) {
  const started = await startService({
    database: { file: ':memory:' },
    port: 0,
    argon2: cheapArgon2,
    rateLimit: 'off',
    ...options,
    ...(mock ? { mock } : { adapter: new ApiAdapter(description, '') }),
  });
  if (!started.ok) throw new Error(started.message);
  onTestFinished(() => started.service.close());
  const { service } = started;
  const { baseUrl } = service;
  const transport = createTransport({});
  onTestFinished(() => transport.close());
  const adapter = new ApiAdapter(description, baseUrl, { apikey: 'the public key' });
  return {
    baseUrl,
    transport,
    adapter,
    close: () => service.close(),
    client: createClient({ transport, baseUrl, adapter }),
  };
}

export async function shipped(name: string): Promise<InterfaceDescription> {
  const description = await shippedInterface(name);
  if (!description) throw new Error(`there is no description ${name}`);
  return description;
}

export function described(json: object): InterfaceDescription {
  const read = readDescription(JSON.stringify({ name: 'x', ...json }));
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return read.description;
}
