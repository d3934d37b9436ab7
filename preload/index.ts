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

// The first frame of the log-in form is there before the page's own code, which reads these marks when it takes over.
// Enter in a field is a click on the button of its form.
const inFirstFrame = ({ target }: Event, what: string): Element | null =>
  target instanceof Element ? target.closest(`#first-frame ${what}`) : null;
const onFirstFrame = (type: string, take: (event: Event) => void): void => addEventListener(type, take, true);

onFirstFrame('click', (event) => {
  const pressed = inFirstFrame(event, ':is(button, a)');
  if (!pressed) return;
  event.preventDefault();
  for (const before of document.querySelectorAll('[data-pressed]')) before.removeAttribute('data-pressed');
  pressed.setAttribute('data-pressed', '');
});
onFirstFrame('compositionstart', (event) => inFirstFrame(event, 'input')?.setAttribute('data-composing', ''));
onFirstFrame('compositionend', (event) => inFirstFrame(event, 'input')?.removeAttribute('data-composing'));
