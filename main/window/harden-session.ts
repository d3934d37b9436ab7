import { app, session } from 'electron';

/**
 * Nothing listens there: on Unix only root could. It also gets WebRTC over TCP, which neither the policy nor the request
 * filter covers.
 */
const unreachableProxy = {
  mode: 'fixed_servers',
  proxyRules: 'http://127.0.0.1:1',
  proxyBypassRules: '<-loopback>',
} as const;

/**
 * Denies what no page may do, whatever it contains: navigate, open windows, embed, download, ask for permissions, or
 * reach the network. Main does all HTTP itself. It is awaited before the first page.
 * @param isViteServer in development only, where the page comes from Vite's server: whether an address is of that server,
 *   which the page may reach, and may be loaded from again after a change
 */
export async function hardenSession(
  isOwnPage: (url: string) => boolean,
  warn: (what: string) => void,
  isViteServer: ((url: string) => boolean) | undefined,
): Promise<void> {
  const stay = (event: { url: string; preventDefault: () => void }): void => {
    if (!isViteServer?.(event.url)) event.preventDefault();
  };
  app.on('web-contents-created', (_created, contents) => {
    contents.on('will-navigate', stay);
    contents.on('will-frame-navigate', stay);
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  });

  const { defaultSession } = session;
  // This comes before the first window, since each start would otherwise ask a Google host for a dictionary.
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
  if (!isViteServer) await defaultSession.setProxy(unreachableProxy);
}
