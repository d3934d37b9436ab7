import { createReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import type { MockDefinition } from '../service/mock/mock-definition.ts';

/**
 * Sentences about the web pages that may use a service: the address at which browsers send their cookies, and whether the
 * original of a mock would refuse them.
 */
export function formatAllowedOrigins(
  {
    allowOrigins,
    baseUrl,
    model,
  }: { allowOrigins: readonly string[]; baseUrl: string; model?: MockDefinition | undefined },
  language: string,
): string[] {
  const command = createReportFormatter(language).texts('command');
  if (allowOrigins.length === 0) return [];
  const names = new Set(allowOrigins.map((origin) => new URL(origin).hostname));
  const { hostname, port, protocol } = new URL(baseUrl);
  const origins = new Intl.ListFormat(language).format(allowOrigins);
  return [
    command('allowsOrigins', { origins }),
    // Cookies are by host name, without the port (RFC 6265 section 8.5).
    ...(names.has('localhost') && hostname !== 'localhost'
      ? [command('cookiesAtLocalhost', { address: `${protocol}//localhost:${port}` })]
      : []),
    ...(model?.preflight?.allows === false ? [command('originalAllowsNoOrigin')] : []),
  ];
}
