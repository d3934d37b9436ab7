import type { Report } from '../../preload/contract/report.ts';
import { defaultInterface } from '../interface/shipped.ts';
import { ApiAdapter } from '../interface/api-adapter.ts';

type Evidence = Report['evidence'][number];

/** The statuses of a call that a server does not have. */
const missing: ReadonlySet<number> = new Set([404, 405, 410, 501]);

/** Those that a server may give before it looks for the path, as Express does to JSON that it cannot parse. */
const beforePath: ReadonlySet<number> = new Set([400, 413, 415, 429]);

/** What an answer to an unknown path has in it, and the shipped descriptions that this speaks for. */
const signs: readonly { of: RegExp; fits: readonly string[] }[] = [
  { of: /^x-powered-by: strapi\b|"name":"NotFoundError"/im, fits: ['strapi'] },
  {
    of: /^set-cookie: (?:XSRF-TOKEN|laravel[_-]session)=|"The route \S+ could not be found\.?"/im,
    fits: ['laravel-sanctum', 'laravel-breeze'],
  },
  { of: /^server: uvicorn\b|^\{"detail":"Not Found"\}$/im, fits: ['fastapi-users'] },
  {
    // Django's own page, which is the same bytes in each copy, and that of its debug mode.
    of: /^sha256: 5547992afdadb59737c5c0feb1a35dff294cd27145bf290c031737ecf8a2577d$|^title: Page not found at \//m,
    fits: ['djoser', 'dj-rest-auth', 'oauth-password'],
  },
  { of: /^x-runtime: [\d.]+$/im, fits: ['devise-token-auth'] },
  { of: /RESTEASY003210|Unable to find matching target resource method|"HTTP 404 Not Found"/, fits: ['keycloak'] },
  {
    of: /^sb-[a-z-]+: |"no Route matched with those values"|"No API key found in request"/im,
    fits: ['supabase-gotrue'],
  },
];

const textOf = (parts: readonly unknown[]): string => parts.filter((part) => typeof part === 'string').join('');

function answerOf({ response }: Evidence): string {
  const headers = (response?.headers ?? []).map(([name, value]) => `${name}: ${textOf(value)}`);
  const { body } = response ?? {};
  if (body?.form !== 'described') return [...headers, textOf(body?.text ?? [])].join('\n');
  return [...headers, `title: ${textOf(body.title ?? [])}`, `sha256: ${body.sha256 ?? ''}`].join('\n');
}

/**
 * Says that a server may have another interface: a run asked for its login and for its profile, and neither is there. A
 * path to register may be there by chance, and one of the two may say 404 of a person.
 * @returns the shipped descriptions that the server may have, by their names, or `FILE` where its answers are signs of
 *   none of these; nothing where its interface is known. None is certain: what a server of that kind says of an unknown
 *   path is all that was seen.
 */
export function suggestInterfaces(report: Report): string[] {
  if (report.interface) return [];
  const adapter = new ApiAdapter(defaultInterface, report.baseUrl);
  const at = (wanted: 'login' | 'perfil') =>
    report.evidence.filter(({ request }) => adapter.operationAt(textOf(request.url)) === wanted);
  const [logins, profiles] = [at('login'), at('perfil')];
  const calls = [...logins, ...profiles];
  const isMissing = ({ response }: Evidence): boolean => response !== undefined && missing.has(response.status);
  const isBeforePath = ({ response }: Evidence): boolean => response !== undefined && beforePath.has(response.status);
  if (!logins.some(isMissing) || !profiles.some(isMissing)) return [];
  if (calls.some((each) => !isMissing(each) && !isBeforePath(each))) return [];
  const answers = calls.map((each) => answerOf(each));
  const fits = signs.filter(({ of }) => answers.some((answer) => of.test(answer))).flatMap((sign) => sign.fits);
  return fits.length > 0 ? fits : ['FILE'];
}
