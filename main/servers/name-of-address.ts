/** Names a server of which only the address was given: by its host, and by its path if it has one. */
export function nameOfAddress(baseUrl: string): string {
  return baseUrl.replace(/^https?:\/\//, '').slice(0, 100);
}
