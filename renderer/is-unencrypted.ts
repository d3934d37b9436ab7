/**
 * True for http to another computer. Loopback hosts are those of the Secure Contexts specification (W3C, 3.1):
 * 127.0.0.0/8, ::1, localhost and its subdomains.
 */
export function isUnencrypted(baseUrl: string): boolean {
  if (!baseUrl.startsWith('http://')) return false;
  const { hostname } = new URL(baseUrl);
  return !/^(?:127(?:\.\d{1,3}){3}|\[::1\]|(?:.+\.)?localhost\.?)$/i.test(hostname);
}
