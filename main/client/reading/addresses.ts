/** Some answers come without the address that was asked. A relative address is then the same server's. */
const unknownServer = 'http://server.invalid/';

/** Returns an address that an answer gives, and the one that was asked; undefined for what is no web address. */
export function locationOf(location: string, url: string | undefined): { target: URL; asked: URL } | undefined {
  const asked = new URL(url !== undefined && URL.canParse(url) ? url : unknownServer);
  if (!URL.canParse(location, asked.href)) return undefined;
  const target = new URL(location, asked);
  return /^https?:$/.test(target.protocol) ? { target, asked } : undefined;
}

/** Says whether two addresses are of one host, or of one name within the other, such as `www.` before it. */
export function isSameSite({ hostname: one }: URL, { hostname: other }: URL): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}
