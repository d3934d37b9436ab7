import { startService, type Service } from '../server.ts';
import type { ServerModel } from './model.ts';

type DoubleOptions = {
  /** Whether attempts are counted. */
  isLimited: boolean;
  /** 0 for any free one. */
  port: number;
  /** Of its accounts; they are in memory unless given. */
  file?: string;
};

type Started =
  | { ok: true; service: Service & { addAccount: (account: { email: string; password: string }) => Promise<void> } }
  | { ok: false; message: string };

/** Starts the double of a server on loopback, with accounts of its own. */
export async function startDouble(
  model: ServerModel,
  { isLimited, port, file = ':memory:' }: DoubleOptions,
): Promise<Started> {
  const started = await startService({ database: { file }, port, model, rateLimit: isLimited ? 'on' : 'off' });
  if (!started.ok) return started;
  const { service } = started;

  /** Registers somebody as the original has him, so that a run with his account can be done again here. */
  async function addAccount({ email, password }: { email: string; password: string }): Promise<void> {
    for (const path of ['registro', 'register']) {
      await fetch(`${service.baseUrl}/api/v1/auth/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Llavero', email, password, ...(path === 'register' && { cpassword: password }) }),
      });
    }
  }
  return { ok: true, service: { ...service, addAccount } };
}
