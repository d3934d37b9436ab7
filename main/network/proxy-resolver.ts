import type { ResolveProxy } from '../client/proxy-route.ts';

/** What is needed of Electron's `Session`. */
export type ProxySession = {
  resolveProxy(url: string): Promise<string>;
  setProxy(config: { mode: 'pac_script'; pacScript: string }): Promise<void>;
  setSpellCheckerLanguages(languages: string[]): void;
};

/**
 * Asks Chromium which proxy leads to an origin: `system` is the default session, which follows the operating system.
 * Each PAC script has a session of its own, in memory, which fetches it with the first question; `sessionFor` is
 * `session.fromPartition`. A script that cannot be fetched or run is answered with an empty text. Hosts that are this
 * computer are answered `DIRECT` without asking the script.
 */
export function createProxyResolver(options: {
  system: () => Pick<ProxySession, 'resolveProxy'>;
  sessionFor: (partition: string) => ProxySession;
}): ResolveProxy {
  const scripted = new Map<string, Promise<ProxySession>>();

  async function open(pacUrl: string): Promise<ProxySession> {
    const session = options.sessionFor(`proxy-script-${scripted.size}`);
    // A new session would fetch a dictionary from a server of Google's.
    session.setSpellCheckerLanguages([]);
    await session.setProxy({ mode: 'pac_script', pacScript: pacUrl });
    return session;
  }

  return async (origin, pacUrl) => {
    if (pacUrl === undefined) return options.system().resolveProxy(origin);
    const known = scripted.get(pacUrl) ?? open(pacUrl);
    scripted.set(pacUrl, known);
    return (await known).resolveProxy(origin);
  };
}
