import type { ConfigStore } from '../config/config-store.ts';
import { builtInId } from '../config/server-ids.ts';
import { createStoredInterface } from './interface-form.ts';
import { shippedText } from '../../interface/shipped.ts';

/** Stores the API of the built-in server, with account calls or as the default one. */
export async function storeAccountCalls(config: ConfigStore, hasAccountCalls: boolean): Promise<void> {
  const created = createStoredInterface(await shippedText('llavero-account-calls'), 'http://127.0.0.1', {});
  const described = hasAccountCalls && created.ok ? created.value.interface : undefined;
  const servers = config
    .get()
    .servers.map((server) => (server.id === builtInId ? Object.assign({}, server, { interface: described }) : server));
  config.change({ servers });
}
