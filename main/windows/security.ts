import { app, session } from 'electron';

/**
 * What no page may do, whatever it contains: navigate, open windows, embed, download, ask for permissions, or reach
 * the network. Main does all HTTP itself.
 */
export function denyEverythingElse(isOwnPage: (url: string) => boolean, warn: (what: string) => void): void {
  app.on('web-contents-created', (_created, contents) => {
    contents.on('will-navigate', (event) => event.preventDefault());
    contents.on('will-frame-navigate', (event) => event.preventDefault());
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });

  const { defaultSession } = session;
  // Before the first window: otherwise each start asks a Google host for a dictionary.
  defaultSession.setSpellCheckerLanguages([]);
  defaultSession.setPermissionRequestHandler((_contents, _permission, callback) => callback(false));
  defaultSession.setPermissionCheckHandler(() => false);
  defaultSession.setDevicePermissionHandler(() => false);
  defaultSession.on('will-download', (event) => event.preventDefault());
  defaultSession.webRequest.onBeforeRequest((details, callback) => {
    const allowed = isOwnPage(details.url) || details.url.startsWith('devtools://');
    if (!allowed) warn(`a page asked for ${new URL(details.url).origin} and was refused`);
    callback({ cancel: !allowed });
  });
}
