import { contextBridge, ipcRenderer, webFrame } from 'electron';
import { eventNames, methodNames } from './contract/channels.ts';

const pending = new Map<string, (result: unknown) => void>();
let calls = 0;

/**
 * Takes the result from an event: Electron keeps no order between events and what `invoke` returns, and the events that
 * main sent before the result must arrive before it.
 */
async function call(name: string, input: unknown): Promise<unknown> {
  // No result for a page that was here before has an id of this one.
  const id = `${performance.timeOrigin} ${(calls += 1)}`;
  const result = new Promise((resolve) => pending.set(id, resolve));
  try {
    await ipcRenderer.invoke(name, id, input);
    return await result;
  } finally {
    pending.delete(id);
  }
}

ipcRenderer.on('app.answered', (_event, { id, result }: { id: string; result: unknown }) => pending.get(id)?.(result));

const api: Record<string, Record<string, (input: unknown) => Promise<unknown>>> = {};
for (const name of methodNames) {
  const [group = '', method = ''] = name.split('.');
  (api[group] ??= {})[method] = (input) => call(name, input);
}

const events: Record<string, (listener: (payload: unknown) => void) => () => void> = {};
for (const name of eventNames) {
  events[name] = (listener) => {
    const forward = (_event: unknown, payload: unknown): void => listener(payload);
    ipcRenderer.on(name, forward);
    return () => void ipcRenderer.removeListener(name, forward);
  };
}

// The page's process releases its memory to the system.
ipcRenderer.on('app.idle', () => webFrame.clearCache());

// The types of what the page sees of these are in window.d.ts.
contextBridge.exposeInMainWorld('api', api);
contextBridge.exposeInMainWorld('events', events);
