import { app } from 'electron';
import { linkScheme } from '../account/servers/link-scheme.ts';

export type LinkQueue = ReturnType<typeof createLinkQueue>;

/**
 * Makes the application the one that opens links `llavero://…`, and keeps those that come before there is a window. A
 * build for development is not registered: the system would start it without its arguments.
 */
export function createLinkQueue() {
  const waiting: string[] = [];
  let follow: ((link: string) => void) | undefined;
  const push = (link: string | undefined): void => {
    if (link === undefined) return;
    if (follow) follow(link);
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
    /** Follows what has waited, and from now on each link when it comes. */
    consume(next: (link: string) => void): void {
      follow = next;
      for (const link of waiting.splice(0)) next(link);
    },
  };
}
