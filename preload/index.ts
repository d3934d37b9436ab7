import { contextBridge, ipcRenderer } from 'electron';
import { channels, eventNames } from './contract/channels.ts';

const api: Record<string, Record<string, (input: unknown) => Promise<unknown>>> = {};
for (const [group, names] of Object.entries(channels)) {
  const calls: Record<string, (input: unknown) => Promise<unknown>> = {};
  for (const name of names) calls[name] = (input) => ipcRenderer.invoke(`${group}.${name}`, input);
  api[group] = calls;
}

const events: Record<string, (listener: (payload: unknown) => void) => () => void> = {};
for (const name of eventNames) {
  events[name] = (listener) => {
    const forward = (_event: unknown, payload: unknown): void => listener(payload);
    ipcRenderer.on(name, forward);
    return () => void ipcRenderer.removeListener(name, forward);
  };
}

contextBridge.exposeInMainWorld('api', api);
contextBridge.exposeInMainWorld('events', events);
