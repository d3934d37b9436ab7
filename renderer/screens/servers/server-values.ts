import type { ConnectionSettings, ConnectionInput, InterfaceInput } from '../../../preload/contract/connection.ts';
import type { Server, ServerDetails } from '../../../preload/contract/models.ts';

/** All values of the server form. */
export interface ServerValues extends ServerDetails {
  address: string;
  connection: ConnectionInput;
  interface: InterfaceInput;
}

export const newServer: ServerDetails = {
  name: '',
  colour: 'gray',
  notes: '',
  registrationPath: 'registro',
  production: false,
  pinned: {},
};

/** The saved values, as the form shows them. */
export function serverValues(server: Server | undefined): ServerValues {
  const { name, colour, notes, registrationPath, production, pinned } = server ?? newServer;
  return {
    name,
    colour,
    notes,
    registrationPath,
    production,
    pinned,
    address: server?.baseUrl ?? '',
    connection: connectionValues(server),
    interface: interfaceValues(server),
  };
}

/** Without `text`: the description is unchanged, and only its variables are edited. */
export const interfaceValues = (server: Server | undefined): InterfaceInput => ({
  variables: (server?.interface.variables ?? []).map(({ name, value = '' }) => ({ name, value })),
});

/** Secrets and header values are never sent to the window, so their fields start empty. */
export function connectionValues(server: Server | undefined): ConnectionInput {
  const { proxy, authority, clientCertificate, limits } = server?.connection ?? { proxy: { mode: 'system' } };
  return {
    proxy: proxyValues(proxy),
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

function proxyValues(proxy: ConnectionSettings['proxy']): ConnectionInput['proxy'] {
  if (proxy.mode !== 'manual') return proxy;
  const { scheme, host, port } = proxy.proxy;
  return {
    mode: 'manual',
    address: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    username: proxy.username ?? '',
    noProxy: proxy.noProxy.join(', '),
  };
}

/** Returns the changed values only; undefined if there are none. */
export function changedValues(saved: ServerValues, values: ServerValues): Partial<ServerValues> | undefined {
  const [before, after] = [comparable(saved), comparable(values)];
  const isChanged = ([name]: [string, unknown]): boolean => before.get(name) !== after.get(name);
  const changed = Object.entries(values).filter(isChanged);
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

/** An empty path and an empty variable count as not set. */
function comparable({ pinned, interface: { text, variables }, ...values }: ServerValues): Map<string, string> {
  const filled = variables.filter(({ value }) => value !== '').toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const all = {
    ...values,
    pinned: [pinned.token ?? '', pinned.user ?? '', pinned.message ?? ''],
    interface: [text, filled],
  };
  return new Map(Object.entries(all).map(([name, value]) => [name, JSON.stringify(value)]));
}

/** Initial values of each proxy mode. */
export const emptyProxy = {
  system: { mode: 'system' },
  none: { mode: 'none' },
  pac: { mode: 'pac', url: '' },
  manual: { mode: 'manual', address: '', username: '', noProxy: '' },
} as const satisfies { [M in ConnectionInput['proxy']['mode']]: Extract<ConnectionInput['proxy'], { mode: M }> };

/** Initial values of each form of client certificate. */
export const emptyCertificate = {
  none: { form: 'none' },
  pem: { form: 'pem', certificateFile: '', keyFile: '' },
  pfx: { form: 'pfx', file: '' },
} as const satisfies {
  [F in ConnectionInput['clientCertificate']['form']]: Extract<ConnectionInput['clientCertificate'], { form: F }>;
};
