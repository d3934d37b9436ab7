/**
 * True for http to another computer.
 * @see https://www.w3.org/TR/secure-contexts/#is-origin-trustworthy for the hosts of this computer: 127.0.0.0/8, ::1,
 * localhost and its subdomains
 */
export function isUnencrypted(baseUrl: string): boolean {
  if (!baseUrl.startsWith('http://')) return false;
  const { hostname } = new URL(baseUrl);
  return !/^(?:127(?:\.\d{1,3}){3}|\[::1\]|(?:.+\.)?localhost\.?)$/i.test(hostname);
}
