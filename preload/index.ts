import { contextBridge, ipcRenderer, webFrame } from 'electron';
import { eventNames, methodNames } from './contract/channels.ts';

const waiting = new Map<string, (result: unknown) => void>();
let asked = 0;

/**
 * Asks main, and takes the answer where the events come from: Electron keeps no order between these and what `invoke`
 * answers, and what main told before it answered must be there before the answer.
 */
async function ask(name: string, input: unknown): Promise<unknown> {
  // No answer to the page that was here before has an id of this one.
  const id = `${performance.timeOrigin} ${(asked += 1)}`;
  const answer = new Promise((resolve) => waiting.set(id, resolve));
  try {
    await ipcRenderer.invoke(name, id, input);
    return await answer;
  } finally {
    waiting.delete(id);
  }
}

ipcRenderer.on('app.answered', (_event, { id, result }: { id: string; result: unknown }) => waiting.get(id)?.(result));

const api: Record<string, Record<string, (input: unknown) => Promise<unknown>>> = {};
for (const name of methodNames) {
  const [group = '', method = ''] = name.split('.');
  (api[group] ??= {})[method] = (input) => ask(name, input);
}

const events: Record<string, (listener: (payload: unknown) => void) => () => void> = {};
for (const name of eventNames) {
  events[name] = (listener) => {
    const forward = (_event: unknown, payload: unknown): void => listener(payload);
    ipcRenderer.on(name, forward);
    return () => void ipcRenderer.removeListener(name, forward);
  };
}

// The page's process collects what it no longer needs, and gives it back to the system.
ipcRenderer.on('app.rested', () => webFrame.clearCache());

// The types of what the page sees of these are in window.d.ts.
contextBridge.exposeInMainWorld('api', api);
contextBridge.exposeInMainWorld('events', events);
