import { createReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import type { MockDefinition } from '../service/mock/mock-definition.ts';

/**
 * Says in a language which web pages may use a service, at which address their cookies go along, and where it lets in more
 * than the original of a double does.
 */
export function formatAllowedOrigins(
  {
    allowOrigins,
    baseUrl,
    model,
  }: { allowOrigins: readonly string[]; baseUrl: string; model?: MockDefinition | undefined },
  language: string,
): string[] {
  const say = createReportFormatter(language).texts('command');
  if (allowOrigins.length === 0) return [];
  const names = new Set(allowOrigins.map((origin) => new URL(origin).hostname));
  const { hostname, port, protocol } = new URL(baseUrl);
  const origins = new Intl.ListFormat(language).format(allowOrigins);
  return [
    say('allowsOrigins', { origins }),
    // Cookies know host names, and no ports.
    ...(names.has('localhost') && hostname !== 'localhost'
      ? [say('cookiesAtLocalhost', { address: `${protocol}//localhost:${port}` })]
      : []),
    ...(model?.preflight?.allows === false ? [say('originalAllowsNoOrigin')] : []),
  ];
}
