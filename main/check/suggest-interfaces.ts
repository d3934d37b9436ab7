import type { Report } from '../../preload/contract/report.ts';
import { defaultInterface } from '../interface/shipped.ts';
import { ApiAdapter } from '../interface/api-adapter.ts';

type Evidence = Report['evidence'][number];

/** Statuses of an endpoint that a server does not have. */
const missingStatuses: ReadonlySet<number> = new Set([404, 405, 410, 501]);

/** Statuses that a server may return before routing, as Express does for JSON that it cannot parse. */
const beforeRoutingStatuses: ReadonlySet<number> = new Set([400, 413, 415, 429]);

/** Patterns of responses to an unknown path, with the shipped API descriptions that they indicate. */
const signatures: readonly { pattern: RegExp; interfaces: readonly string[] }[] = [
  { pattern: /^x-powered-by: strapi\b|"name":"NotFoundError"/im, interfaces: ['strapi'] },
  {
    pattern: /^set-cookie: (?:XSRF-TOKEN|laravel[_-]session)=|"The route \S+ could not be found\.?"/im,
    interfaces: ['laravel-sanctum', 'laravel-breeze'],
  },
  { pattern: /^server: uvicorn\b|^\{"detail":"Not Found"\}$/im, interfaces: ['fastapi-users'] },
  {
    // Django's own page, which has the same bytes everywhere, and that of its debug mode.
    pattern: /^sha256: 5547992afdadb59737c5c0feb1a35dff294cd27145bf290c031737ecf8a2577d$|^title: Page not found at \//m,
    interfaces: ['djoser', 'dj-rest-auth', 'oauth-password'],
  },
  { pattern: /^x-runtime: [\d.]+$/im, interfaces: ['devise-token-auth'] },
  {
    pattern: /RESTEASY003210|Unable to find matching target resource method|"HTTP 404 Not Found"/,
    interfaces: ['keycloak'],
  },
  {
    pattern: /^sb-[a-z-]+: |"no Route matched with those values"|"No API key found in request"/im,
    interfaces: ['supabase-gotrue'],
  },
];

const textOf = (parts: readonly unknown[]): string => parts.filter((part) => typeof part === 'string').join('');

function responseText({ response }: Evidence): string {
  const headers = (response?.headers ?? []).map(([name, value]) => `${name}: ${textOf(value)}`);
  const { body } = response ?? {};
  if (body?.form !== 'described') return [...headers, textOf(body?.text ?? [])].join('\n');
  return [...headers, `title: ${textOf(body.title ?? [])}`, `sha256: ${body.sha256 ?? ''}`].join('\n');
}

/**
 * The shipped API descriptions that a server without our login and profile may have, by name; `FILE` if its responses
 * indicate none of them; empty if its API type is known. Both endpoints must be missing, since a registration path may
 * exist by chance, and one of the two may return 404 for a user.
 */
export function suggestInterfaces(report: Report): string[] {
  if (report.interface) return [];
  const adapter = new ApiAdapter(defaultInterface, report.baseUrl);
  const at = (operation: 'login' | 'profile') =>
    report.evidence.filter(({ request }) => adapter.operationAt(textOf(request.url)) === operation);
  const [logins, profiles] = [at('login'), at('profile')];
  const calls = [...logins, ...profiles];
  const isMissing = ({ response }: Evidence): boolean => response !== undefined && missingStatuses.has(response.status);
  const isBeforeRouting = ({ response }: Evidence): boolean =>
    response !== undefined && beforeRoutingStatuses.has(response.status);
  if (!logins.some(isMissing) || !profiles.some(isMissing)) return [];
  if (calls.some((each) => !isMissing(each) && !isBeforeRouting(each))) return [];
  const responses = calls.map((each) => responseText(each));
  const fits = signatures.flatMap(({ pattern, interfaces }) =>
    responses.some((answer) => pattern.test(answer)) ? interfaces : [],
  );
  return fits.length > 0 ? fits : ['FILE'];
}
