import type { ConnectionSettings, EnteredConnection } from '../../../preload/contract/connection.ts';
import type { Server } from '../../../preload/contract/models.ts';

/** Returns the connection of a server as its form shows it. A new server has the defaults. */
export function enteredConnectionOf(server: Server | undefined): EnteredConnection {
  const { proxy, authority, clientCertificate, limits } = server?.connection ?? { proxy: { mode: 'system' } };
  return {
    proxy: enteredProxyOf(proxy),
    authorityFile: authority && 'file' in authority ? authority.file : '',
    clientCertificate: clientCertificate ?? { form: 'none' },
    limits: {
      connectSeconds: String(limits?.connectSeconds ?? ''),
      firstByteSeconds: String(limits?.firstByteSeconds ?? ''),
      totalSeconds: String(limits?.totalSeconds ?? ''),
    },
    secrets: {},
    headers: (server?.extraHeaders ?? []).map(({ name }) => ({ name, value: '' })),
  };
}

function enteredProxyOf(proxy: ConnectionSettings['proxy']): EnteredConnection['proxy'] {
  if (proxy.mode !== 'manual') return proxy;
  const { scheme, host, port } = proxy.proxy;
  return {
    mode: 'manual',
    address: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    username: proxy.username ?? '',
    noProxy: proxy.noProxy.join(', '),
  };
}

/** The values that each mode of the proxy begins with. */
export const emptyProxy = {
  system: { mode: 'system' },
  none: { mode: 'none' },
  pac: { mode: 'pac', url: '' },
  manual: { mode: 'manual', address: '', username: '', noProxy: '' },
} as const satisfies { [M in EnteredConnection['proxy']['mode']]: Extract<EnteredConnection['proxy'], { mode: M }> };

/** The values that each form of the client certificate begins with. */
export const emptyCertificate = {
  none: { form: 'none' },
  pem: { form: 'pem', certificateFile: '', keyFile: '' },
  pfx: { form: 'pfx', file: '' },
} as const satisfies {
  [F in EnteredConnection['clientCertificate']['form']]: Extract<EnteredConnection['clientCertificate'], { form: F }>;
};
