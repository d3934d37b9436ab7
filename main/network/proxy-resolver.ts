import type { ResolveProxy } from '../client/proxy-route.ts';

/** What is needed of Electron's `Session`. */
export type ProxySession = {
  resolveProxy(url: string): Promise<string>;
  setProxy(config: { mode: 'pac_script'; pacScript: string }): Promise<void>;
  setSpellCheckerLanguages(languages: string[]): void;
};

/**
 * Asks Chromium which proxy leads to an origin. A session that nothing was set of follows the operating system; it is
 * not the window's, which has no way out at all. Each PAC script has a session of its own, too, which fetches it with
 * the first question. All are in memory; `sessionFor` is `session.fromPartition`. A script that cannot be fetched or run is answered with an empty text. Hosts that are this
 * computer are answered `DIRECT` without asking the script.
 */
export function createProxyResolver(sessionFor: (partition: string) => ProxySession): ResolveProxy {
  /** By the URL of their script; the system's has none. */
  const opened = new Map<string | undefined, Promise<ProxySession>>();

  async function open(pacUrl: string | undefined): Promise<ProxySession> {
    const session = sessionFor(pacUrl === undefined ? 'proxy-system' : `proxy-script-${opened.size}`);
    // A new session would fetch a dictionary from a server of Google's.
    session.setSpellCheckerLanguages([]);
    if (pacUrl !== undefined) await session.setProxy({ mode: 'pac_script', pacScript: pacUrl });
    return session;
  }

  return async (origin, pacUrl) => {
    const known = opened.get(pacUrl) ?? open(pacUrl);
    opened.set(pacUrl, known);
    return (await known).resolveProxy(origin);
  };
}
