import type { PlainJson } from '../../interface/template.ts';
import { placeholderNames } from '../../interface/template.ts';
import { createChange, valueAtPath, type DescriptionChange } from './description-change.ts';
import { requestPath, findSentence, type StepResponse, type TrialContext } from './step-response.ts';

/** The methods that a description may have. None that deletes is proposed, but to end a session. */
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const endsSession = /(?:sessions?|log-?_?out|sign-?_?out|tokens?)\/?$/i;

const mostMethods = 2;
const mostPaths = 3;

/** Another path or method, where the server says that it has one. */
export function proposePathChanges(seen: StepResponse, tried: TrialContext): DescriptionChange[] {
  const { status } = seen;
  if (status >= 300 && status < 400) return redirected(seen, tried);
  if (status === 405 || /\bsupported methods?:/i.test(seen.text)) return otherMethods(seen, tried);
  if (status === 500) return slashWanted(seen, tried);
  return status === 404 || status === 410
    ? [...slashWanted(seen, tried), ...hinted(seen, tried), ...beside(seen, tried)]
    : [];
}

/** A redirect to another path of this server, which is where the call would have gone. */
function redirected(seen: StepResponse, tried: TrialContext): DescriptionChange[] {
  const { status, headers, path } = seen;
  const location = headers.get('location') ?? '';
  const { baseUrl } = tried.adapter;
  const target = location.length < 1000 ? URL.parse(location, baseUrl + path) : null;
  if (!target || target.origin !== new URL(baseUrl).origin) return [];
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');
  if (!target.pathname.startsWith(`${base}/`)) return [];
  const to = target.pathname.slice(base.length);
  const isSlash = to === `${path}/` || `${to}/` === path;
  // What is not said to have moved for good leads on to something else, such as a page for people.
  if (!isSlash && status !== 301 && status !== 308) return [];
  return pathChange(seen, tried, to, `${status} Location: ${target.pathname}`);
}

/** Django tells that a path wants its slash by a redirect, and by a fault where there is a body. */
function slashWanted(seen: StepResponse, tried: TrialContext): DescriptionChange[] {
  const wanted = /doesn.t end in a slash|must end (?:with|in) a slash|trailing slash/i;
  if (!wanted.test(seen.body) || seen.path.endsWith('/')) return [];
  return pathChange(seen, tried, `${seen.path}/`, findSentence(seen, wanted) ?? `${seen.status}`);
}

function otherMethods(seen: StepResponse, { description }: TrialContext): DescriptionChange[] {
  const { headers, text, status, at, path, step } = seen;
  const inText = /\bsupported methods?:\s*([A-Z, ]{3,60})/i.exec(text)?.[1];
  const allowed = headers.get('allow') ?? inText ?? '';
  const now = step.calls.at(-1)?.request.method;
  const mayDelete = step.name === 'logout' && endsSession.test(path);
  const wanted = step.name === 'profile' ? methods : methods.toSorted((one) => (one === 'POST' ? -1 : 0));
  const evidence = headers.has('allow') ? `${status} Allow: ${allowed}` : findSentence(seen, /\bsupported methods?:/i);
  return wanted
    .filter((each) => each !== now && (each !== 'DELETE' || mayDelete))
    .filter((each) =>
      allowed
        .toUpperCase()
        .split(/[\s,]+/)
        .includes(each),
    )
    .slice(0, mostMethods)
    .map((method) => {
      const takesNoBody = method === 'GET' && valueAtPath(description, `${at}.body`) !== undefined;
      const more = takesNoBody ? [{ at: `${at}.body`.split('.'), to: undefined }] : [];
      return createChange(`${at}.method`, method, { evidence, more });
    })
    .filter(({ value }) => value !== 'GET' || step.name === 'profile' || step.name === 'logout');
}

const meant = {
  register: /regist|sign-?_?up|users?\/?$|accounts?\/?$/i,
  login: /log-?_?in|sign-?_?in|sessions?\/?$|token|authenticate/i,
  profile: /\bme\/?$|profile|user(?:-?_?info)?\/?$|account\/?$|whoami|current/i,
  refresh: /refresh|renew/i,
  logout: /log-?_?out|sign-?_?out|revoke/i,
} as const;

/** Paths that the answer itself names: a hint, or the list that Django shows while it is being developed. */
function hinted(seen: StepResponse, tried: TrialContext): DescriptionChange[] {
  const { body, path, step, status } = seen;
  const inText = [...body.replaceAll(/<[^<>]*>/g, ' ').matchAll(/(?<![\w/.:<])\/[\w-][\w./-]{1,150}/g)].map(([each]) =>
    each.replace(/[.]+$/, ''),
  );
  const base = URL.parse(tried.adapter.baseUrl)?.pathname.replace(/\/$/, '') ?? '';
  const own = new Set([path, base + path]);
  const last = lastOf(path);
  const paths = [...inText, ...djangoPaths(body)]
    .map((each) => (base !== '' && each.startsWith(`${base}/`) ? each.slice(base.length) : each))
    .filter((each) => !own.has(each) && (lastOf(each) === last || meant[step.name].test(each)))
    .filter((each) => step.name === 'logout' || !meant.logout.test(each));
  const nearest = [...new Set(paths)].toSorted(
    (one, other) => Number(lastOf(other) === last) - Number(lastOf(one) === last),
  );
  return nearest.slice(0, mostPaths).flatMap((to) => pathChange(seen, tried, to, `${status} … ${to}`));
}

const lastOf = (path: string): string => path.split('/').findLast((part) => part !== '') ?? '';

/** `<li>api/ auth/ login/ [name='login']</li>` of Django's technical answer, without patterns that are no paths. */
function djangoPaths(page: string): string[] {
  if (!page.includes('URLconf')) return [];
  return [...page.matchAll(/<li>([^]{1,600}?)<\/li>/g)].flatMap(([, item = '']) => {
    const path = item
      .replaceAll(/<[^<>]*>/g, ' ')
      .replaceAll(/\[name=[^\]]*\]/g, '')
      .replaceAll(/\s+/g, '')
      .replaceAll(/[\^$]|\\Z/g, '');
    return /^[\w./-]+$/.test(path) ? [`/${path}`] : [];
  });
}

/** What another call of this server answered by: `/api` before its path, or nothing where this one has it. */
function beside(seen: StepResponse, tried: TrialContext): DescriptionChange[] {
  const pattern = /^\/(?:api|rest|v\d+)(?:\/v\d+)?(?=\/)/i;
  const own = pattern.exec(seen.path)?.[0] ?? '';
  return tried.steps.flatMap(({ name, calls, result }) => {
    const call = calls.at(-1);
    if (!call?.response || !result.ok || name === seen.step.name) return [];
    const other = pattern.exec(requestPath(call, tried.adapter))?.[0] ?? '';
    if (other === own) return [];
    const evidence = `${call.response.status} ${call.request.method} ${requestPath(call, tried.adapter)}`;
    return pathChange(seen, tried, other + seen.path.slice(own.length), evidence);
  });
}

/** The path of a call, which the description says after its prefix. One with a value in it is left as it is written. */
function pathChange(
  seen: StepResponse,
  { description, adapter }: TrialContext,
  to: string,
  evidence: string,
): DescriptionChange[] {
  const written: PlainJson | undefined = valueAtPath(description, `${seen.at}.path`);
  if (typeof written !== 'string') return [];
  const [onlyPath = '', query] = written.split(/(?=\?)/, 2);
  const toSlash =
    to === `${seen.path}/` ? `${onlyPath}/` : `${to}/` === seen.path ? onlyPath.replace(/\/$/, '') : undefined;
  const hasValue = placeholderNames(onlyPath).length > 0;
  const prefix = adapter.prefix;
  const inside = prefix === '' || to.startsWith(`${prefix}/`);
  if (toSlash === undefined && hasValue) return [];
  const method = seen.step.calls.at(-1)?.request.method ?? '';
  if (toSlash !== undefined || inside) {
    const path = (toSlash ?? to.slice(prefix.length)) + (query ?? '');
    return [createChange(`${seen.at}.path`, path, { evidence, value: `${method} ${to}` })];
  }
  return [];
}
