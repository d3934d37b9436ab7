import type { PlainJson } from '../../interface/template.ts';
import { placeholderNames } from '../../interface/template.ts';
import { createChange, valueAtPath, type DescriptionChange } from './description-change.ts';
import { requestPath, findSentence, type StepResponse, type TrialContext } from './step-response.ts';

/** DELETE is proposed for the end of a session only. */
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const endsSession = /(?:sessions?|log-?_?out|sign-?_?out|tokens?)\/?$/i;

const maxMethods = 2;
const maxPaths = 3;

/** Another path or method, where the response names one. */
export function proposePathChanges(stepResponse: StepResponse, context: TrialContext): DescriptionChange[] {
  const { status } = stepResponse;
  if (status >= 300 && status < 400) return redirected(stepResponse, context);
  if (status === 405 || /\bsupported methods?:/i.test(stepResponse.text)) return otherMethods(stepResponse, context);
  if (status === 500) return addSlash(stepResponse, context);
  return status === 404 || status === 410
    ? [
        ...addSlash(stepResponse, context),
        ...namedPaths(stepResponse, context),
        ...prefixOfOthers(stepResponse, context),
      ]
    : [];
}

/** The target of a redirect to another path of this server. */
function redirected(stepResponse: StepResponse, context: TrialContext): DescriptionChange[] {
  const { status, headers, path } = stepResponse;
  const location = headers.get('location') ?? '';
  const { baseUrl } = context.adapter;
  const target = location.length < 1000 ? URL.parse(location, baseUrl + path) : null;
  if (!target || target.origin !== new URL(baseUrl).origin) return [];
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');
  if (!target.pathname.startsWith(`${base}/`)) return [];
  const to = target.pathname.slice(base.length);
  const isSlash = to === `${path}/` || `${to}/` === path;
  // A temporary redirect leads to something else, such as a page.
  if (!isSlash && status !== 301 && status !== 308) return [];
  return pathChange(stepResponse, context, to, `${status} Location: ${target.pathname}`);
}

/** Django asks for the trailing slash with a redirect, and with an error where the request has a body. */
function addSlash(stepResponse: StepResponse, context: TrialContext): DescriptionChange[] {
  const demand = /doesn.t end in a slash|must end (?:with|in) a slash|trailing slash/i;
  if (!demand.test(stepResponse.body) || stepResponse.path.endsWith('/')) return [];
  return pathChange(
    stepResponse,
    context,
    `${stepResponse.path}/`,
    findSentence(stepResponse, demand) ?? `${stepResponse.status}`,
  );
}

function otherMethods(stepResponse: StepResponse, { description }: TrialContext): DescriptionChange[] {
  const { headers, text, status, at, path, step } = stepResponse;
  const inText = /\bsupported methods?:\s*([A-Z, ]{3,60})/i.exec(text)?.[1];
  const allowed = headers.get('allow') ?? inText ?? '';
  const current = step.calls.at(-1)?.request.method;
  const mayDelete = step.name === 'logout' && endsSession.test(path);
  const ordered = step.name === 'profile' ? methods : methods.toSorted((one) => (one === 'POST' ? -1 : 0));
  const evidence = headers.has('allow')
    ? `${status} Allow: ${allowed}`
    : findSentence(stepResponse, /\bsupported methods?:/i);
  return ordered
    .filter((each) => each !== current && (each !== 'DELETE' || mayDelete))
    .filter((each) =>
      allowed
        .toUpperCase()
        .split(/[\s,]+/)
        .includes(each),
    )
    .slice(0, maxMethods)
    .map((method) => {
      const takesNoBody = method === 'GET' && valueAtPath(description, `${at}.body`) !== undefined;
      const more = takesNoBody ? [{ at: `${at}.body`.split('.'), to: undefined }] : [];
      return createChange(`${at}.method`, method, { evidence, more });
    })
    .filter(({ value }) => value !== 'GET' || step.name === 'profile' || step.name === 'logout');
}

const typicalPaths = {
  register: /regist|sign-?_?up|users?\/?$|accounts?\/?$/i,
  login: /log-?_?in|sign-?_?in|sessions?\/?$|token|authenticate/i,
  profile: /\bme\/?$|profile|user(?:-?_?info)?\/?$|account\/?$|whoami|current/i,
  refresh: /refresh|renew/i,
  logout: /log-?_?out|sign-?_?out|revoke/i,
} as const;

/** Paths that the response names: in its text, or in the list of Django's debug page. */
function namedPaths(stepResponse: StepResponse, context: TrialContext): DescriptionChange[] {
  const { body, path, step, status } = stepResponse;
  const inText = [...body.replaceAll(/<[^<>]*>/g, ' ').matchAll(/(?<![\w/.:<])\/[\w-][\w./-]{1,150}/g)].map(([each]) =>
    each.replace(/[.]+$/, ''),
  );
  const base = URL.parse(context.adapter.baseUrl)?.pathname.replace(/\/$/, '') ?? '';
  const own = new Set([path, base + path]);
  const last = lastSegment(path);
  const paths = [...inText, ...djangoPaths(body)]
    .map((each) => (base !== '' && each.startsWith(`${base}/`) ? each.slice(base.length) : each))
    .filter((each) => !own.has(each) && (lastSegment(each) === last || typicalPaths[step.name].test(each)))
    .filter((each) => step.name === 'logout' || !typicalPaths.logout.test(each));
  const nearest = [...new Set(paths)].toSorted(
    (one, other) => Number(lastSegment(other) === last) - Number(lastSegment(one) === last),
  );
  return nearest.slice(0, maxPaths).flatMap((to) => pathChange(stepResponse, context, to, `${status} … ${to}`));
}

const lastSegment = (path: string): string => path.split('/').findLast((part) => part !== '') ?? '';

/** The paths of Django's debug page, such as `<li>api/ auth/ login/ [name='login']</li>`, without its patterns. */
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

/** The prefix, such as `/api`, of another call that succeeded, or none if that has none. */
function prefixOfOthers(stepResponse: StepResponse, context: TrialContext): DescriptionChange[] {
  const pattern = /^\/(?:api|rest|v\d+)(?:\/v\d+)?(?=\/)/i;
  const own = pattern.exec(stepResponse.path)?.[0] ?? '';
  return context.steps.flatMap(({ name, calls, result }) => {
    const call = calls.at(-1);
    if (!call?.response || !result.ok || name === stepResponse.step.name) return [];
    const other = pattern.exec(requestPath(call, context.adapter))?.[0] ?? '';
    if (other === own) return [];
    const evidence = `${call.response.status} ${call.request.method} ${requestPath(call, context.adapter)}`;
    return pathChange(stepResponse, context, other + stepResponse.path.slice(own.length), evidence);
  });
}

/** Changes the path of a call, which follows the prefix. In a path with a placeholder, only the trailing slash changes. */
function pathChange(
  stepResponse: StepResponse,
  { description, adapter }: TrialContext,
  to: string,
  evidence: string,
): DescriptionChange[] {
  const written: PlainJson | undefined = valueAtPath(description, `${stepResponse.at}.path`);
  if (typeof written !== 'string') return [];
  const [onlyPath = '', query] = written.split(/(?=\?)/, 2);
  const toSlash =
    to === `${stepResponse.path}/`
      ? `${onlyPath}/`
      : `${to}/` === stepResponse.path
        ? onlyPath.replace(/\/$/, '')
        : undefined;
  const hasValue = placeholderNames(onlyPath).length > 0;
  const { prefix } = adapter.paths;
  const isBelowPrefix = prefix === '' || to.startsWith(`${prefix}/`);
  if (toSlash === undefined && hasValue) return [];
  const method = stepResponse.step.calls.at(-1)?.request.method ?? '';
  if (toSlash !== undefined || isBelowPrefix) {
    const path = (toSlash ?? to.slice(prefix.length)) + (query ?? '');
    return [createChange(`${stepResponse.at}.path`, path, { evidence, value: `${method} ${to}` })];
  }
  return [];
}
