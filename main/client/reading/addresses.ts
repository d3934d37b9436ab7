/** For answers of which it is not known what was asked for: a relative address is then the same server's. */
const unknownServer = 'http://server.invalid/';

/** An address as an answer gives it, and the one that was asked for; nothing for what is no web address. */
export function locationOf(location: string, url: string | undefined): { target: URL; asked: URL } | undefined {
  const asked = new URL(url !== undefined && URL.canParse(url) ? url : unknownServer);
  if (!URL.canParse(location, asked.href)) return undefined;
  const target = new URL(location, asked);
  return /^https?:$/.test(target.protocol) ? { target, asked } : undefined;
}

/** One host, or one a name within the other, such as `www.` before it. */
export function isSameSite({ hostname: one }: URL, { hostname: other }: URL): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}
