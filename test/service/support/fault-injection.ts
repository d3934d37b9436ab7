import { onTestFinished } from 'vitest';
import { createClient } from '../../../main/client/client.ts';
import { createTransport } from '../../../main/client/transport.ts';
import {
  startExtendedService,
  type ExtendedServiceOptions,
} from '../../../main/service/fault-injection/extended-service.ts';
import { parseFault, type InjectedFault } from '../../../main/service/fault-injection/faults.ts';
import type { FaultInjectionSettings } from '../../../main/service/fault-injection/fault-injection-settings.ts';
import { ada, cheapArgon2 } from './make-service.ts';

/** Reads a fault as it is typed. */
export function fault(text: string): InjectedFault {
  const read = parseFault(text);
  if (!read.ok) throw new Error(read.sentence);
  return read.fault;
}

/** Starts the service on a port, misbehaving as told, with ada's account unless it is to be empty. */
export async function startBuiltInServer(
  settings: Partial<FaultInjectionSettings> = {},
  options: Partial<ExtendedServiceOptions> & { isEmpty?: boolean } = {},
) {
  const { isEmpty = false, ...serviceOptions } = options;
  const started = await startExtendedService({
    database: { file: ':memory:' },
    port: 0,
    argon2: cheapArgon2,
    rateLimit: 'off',
    faultInjection: {},
    ...serviceOptions,
  });
  if (!started.ok) throw new Error(started.message);
  const { service } = started;
  onTestFinished(() => service.close());
  const { faultInjection } = service;
  if (!faultInjection) throw new Error('It was started without it');

  type Headers = Record<string, string>;
  const url = (path: string): string => `${service.baseUrl}/api/v1/auth/${path}`;
  const post = (path: string, body: unknown, headers: Headers = {}) =>
    fetch(url(path), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
  const perfil = (token: string) => fetch(url('perfil'), { headers: bearer(token) });
  const salir = (token: string) => fetch(url('salir'), { method: 'POST', headers: bearer(token) });
  const login = (credentials: { email: string; password: string } = ada) =>
    post('login', { email: credentials.email, password: credentials.password });

  if (!isEmpty) await post('registro', ada);
  /** The token is that of a login in the service's own words. */
  const token = isEmpty ? '' : ((await (await login()).json()) as { token: string }).token;
  faultInjection.set(settings);

  return { service, behaviour: faultInjection, post, perfil, salir, login, token };
}

/** Makes the application's own client at a base URL. */
export function clientAt(baseUrl: string) {
  const transport = createTransport({ record: () => undefined });
  onTestFinished(() => transport.close());
  return createClient({ transport, baseUrl });
}
