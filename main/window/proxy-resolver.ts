import { setTimeout } from 'node:timers/promises';
import type { ResolveProxy } from '../client/proxy-route.ts';

/** The used part of Electron's `Session`. */
export type ProxySession = {
  resolveProxy(url: string): Promise<string>;
  setProxy(
    config: { mode: 'pac_script'; pacScript: string } | { mode: 'fixed_servers'; proxyRules: string },
  ): Promise<void>;
  setSpellCheckerLanguages(languages: string[]): void;
};

/** A session answers this before its script is in force. No script names it, and nothing could be sent to it. */
const notYet = 'PROXY not-yet.invalid:1';
/** This is asked about only to see what is in force. Both names lead nowhere (RFC 2606). */
const probe = 'http://probe.invalid/';
const IN_FORCE_WITHIN_MS = 10_000;
const ASK_AGAIN_AFTER_MS = 5;

/**
 * Asks Chromium which proxy leads to an origin. A session that nothing was set of follows the operating system; it is
 * not the window's, which has no way out at all. Each PAC script has a session of its own, too, which fetches it with
 * the first question. All are in memory; `sessionFor` is `session.fromPartition`. A script that cannot be fetched or run
 * is answered with an empty text. Hosts that are this computer are answered `DIRECT` without asking the script.
 * @returns a function that rejects when a script did not come into force within 10 s, and tries again the next time
 */
export function createProxyResolver(sessionFor: (partition: string) => ProxySession): ResolveProxy {
  /** The sessions, by the URL of their script. That of the system has none. */
  const opened = new Map<string | undefined, Promise<ProxySession>>();
  let scripts = 0;

  function open(pacUrl: string | undefined): Promise<ProxySession> {
    const session = sessionFor(pacUrl === undefined ? 'proxy-system' : `proxy-script-${(scripts += 1)}`);
    // A new session would fetch a dictionary from a server of Google's.
    session.setSpellCheckerLanguages([]);
    const known = pacUrl === undefined ? Promise.resolve(session) : follow(session, pacUrl);
    opened.set(pacUrl, known);
    known.catch(() => opened.delete(pacUrl));
    return known;
  }

  return async (origin, pacUrl) => (await (opened.get(pacUrl) ?? open(pacUrl))).resolveProxy(origin);
}

/**
 * Has a session follow a script. `setProxy` resolves when Electron has noted the wish; the network service learns it
 * later, and meanwhile answers `DIRECT`, past the proxy that a person chose: 6 of 164 starts on a loaded machine did.
 * So the session is first given a proxy that leads nowhere, and is used once it no longer answers with that.
 */
async function follow(session: ProxySession, pacUrl: string): Promise<ProxySession> {
  await session.setProxy({ mode: 'fixed_servers', proxyRules: notYet.replace('PROXY ', '') });
  await until(session, (answer) => answer === notYet);
  await session.setProxy({ mode: 'pac_script', pacScript: pacUrl });
  await until(session, (answer) => answer !== notYet);
  return session;
}

/** Chromium tells nobody when a proxy comes into force, so it is asked until it is. */
async function until(session: ProxySession, isInForce: (answer: string) => boolean): Promise<void> {
  const deadline = Date.now() + IN_FORCE_WITHIN_MS;
  while (!isInForce(await session.resolveProxy(probe))) {
    if (Date.now() > deadline) throw new Error('Chromium did not take over a proxy setting.');
    await setTimeout(ASK_AGAIN_AFTER_MS);
  }
}
