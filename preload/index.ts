import { contextBridge, ipcRenderer, webFrame } from 'electron';
import { eventNames, methodNames } from './contract/names.ts';

const api: Record<string, Record<string, (input: unknown) => Promise<unknown>>> = {};
for (const name of methodNames) {
  const [group = '', method = ''] = name.split('.');
  (api[group] ??= {})[method] = (input) => ipcRenderer.invoke(name, input);
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
