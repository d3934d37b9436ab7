const mostSchemes = 10;
const longestChallenge = 2000;

/**
 * The schemes that a server asks for in `WWW-Authenticate`, in its order and spelling: `JWT realm="api", Basic` has two
 * (RFC 9110, 11.6.1). A scheme has letters, digits, `.`, `_` and `-` here, so that none says more than its name.
 */
export function schemesIn(challenge: string | undefined): string[] {
  if (challenge === undefined) return [];
  const bare = challenge.slice(0, longestChallenge).replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  const schemes = bare.split(',').flatMap((part) => /^\s*([A-Za-z][\w.-]{0,40})(?=\s|$)(?!\s*=)/.exec(part)?.[1] ?? []);
  return [...new Set(schemes)].slice(0, mostSchemes);
}

/** Schemes of HTTP itself, for a name and a password or a ticket of the network: none carries the token of a log-in. */
const withoutToken = /^(?:basic|digest|negotiate|ntlm|kerberos|mutual|hoba|scram-.*)$/i;

/** The schemes that a challenge offers for a token, where none of those that were sent is among them. */
export function otherSchemes(challenge: string | undefined, sent: readonly string[]): string[] {
  const schemes = schemesIn(challenge).filter((scheme) => !withoutToken.test(scheme));
  const known = new Set(sent.map((scheme) => scheme.toLowerCase()));
  return schemes.some((scheme) => known.has(scheme.toLowerCase())) ? [] : schemes;
}
