import { app } from 'electron';
import { linkScheme } from '../account/servers/link-scheme.ts';

export type LinkQueue = ReturnType<typeof createLinkQueue>;

/**
 * Registers the application for links `llavero://…`, and queues those that come before there is a window. A development
 * build is not registered: the system would start it without its arguments.
 */
export function createLinkQueue() {
  const waiting: string[] = [];
  let listener: ((link: string) => void) | undefined;
  const push = (link: string | undefined): void => {
    if (link === undefined) return;
    if (listener) listener(link);
    else waiting.push(link);
  };
  // macOS tells of a link in this way, and may do so before the application is ready.
  app.on('open-url', (event, url) => {
    event.preventDefault();
    push(url);
  });
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme);
  return {
    take: push,
    consume(next: (link: string) => void): void {
      listener = next;
      for (const link of waiting.splice(0)) next(link);
    },
  };
}
