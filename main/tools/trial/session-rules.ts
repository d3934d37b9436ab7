import { otherSchemes, schemesIn } from '../../client/reading/challenge.ts';
import { receivedHeaders } from '../../client/reading/headers.ts';
import { redirectReason } from '../../client/reading/intermediary.ts';
import { parseResponse } from '../../client/parse-response.ts';
import { refusedForForgery } from '../../client/refused-calls.ts';
import { cookieNamePatterns, schemesOf, sessionSchemes } from '../../interface/security-schemes.ts';
import { readExpression } from '../../interface/expression.ts';
import { isCookieNamed } from '../../interface/cookies.ts';
import { placeholderNames, parseJson, type PlainJson } from '../../interface/template.ts';
import { createChange, valueAtPath, type DescriptionChange } from './description-change.ts';
import { isRejectedForFormToken, findFormCsrfToken, type FormCsrfToken } from './form-csrf-token.ts';
import {
  parseSetCookies,
  findSentence,
  type StepResponse,
  type TrialStep,
  type TrialContext,
} from './step-response.ts';

const againstForgery = /csrf|xsrf|forgery/i;
const sessionLike = /sess|sid\b|auth|token|jwt|identity|login/i;
/** Of statistics, load balancers and choices of a page. */
const ofNoSession = /^(?:_ga|_gid|_gat|_fbp|ajs_|__cf|cf_|AWSALB|lang|locale|theme|i18n|consent|visitor|utm)/i;

/** Where the token of a log-in is, and how it goes along with the calls after that. */
export function proposeSessionChanges(seen: StepResponse, tried: TrialContext): DescriptionChange[] {
  const { step } = seen;
  const forgery = forgeryChanges(seen, tried);
  if (forgery.length > 0) return forgery;
  if (step.name === 'login' && seen.status >= 200 && seen.status < 300) return withoutToken(seen, tried);
  if (step.name === 'login' && seen.status >= 300 && seen.status < 400) return redirectChanges(seen, tried);
  if (step.name !== 'profile') return [];
  if (isRefused(seen)) return otherCarriers(seen, tried);
  // A server that minds its cookie alone says that nobody is in by a profile of nobody, as better-auth by `null`.
  const login = tried.steps.findLast(({ name }) => name === 'login');
  return seen.status >= 200 && seen.status < 300 ? cookieChanges(tried, login).filter(isOfSession) : [];
}

/**
 * Servers of pages say yes by a redirect with a cookie (Passport's `successRedirect`, Devise, Django); the profile is still
 * to prove it. A redirect to a log-in page is a no, and another host is no part of the server.
 */
function redirectChanges({ status, headers, step }: StepResponse, tried: TrialContext): DescriptionChange[] {
  const location = headers.get('location') ?? '';
  const asked = step.calls.at(-1)?.request.url ?? '';
  const isWithin = URL.parse(location, asked)?.origin === URL.parse(asked)?.origin;
  // What a query of it says may be a secret, and is another one each time.
  if (!isWithin || /[?#]/.test(location) || redirectReason(location, asked) !== 'redirect') return [];
  if (valueAtPath(tried.description, 'calls.login.success') !== undefined) return [];
  const [cookie] = cookieChanges(tried, step);
  if (!cookie && !tried.adapter.features.cookie) return [];
  const evidence = [`${status} Location: ${location}`, cookie?.evidence].filter(Boolean).join(', ');
  const value = [`${status} ${location}`, cookie?.value].filter(Boolean).join(', ');
  return [createChange('calls.login.success', [{ status, location }], { evidence, value, more: cookie?.parts ?? [] })];
}

const isRefused = ({ status, step }: StepResponse): boolean =>
  status === 401 ||
  status === 403 ||
  (!step.result.ok && step.result.error.kind === 'unauthenticated') ||
  (status === 400 && !step.result.ok);

/** Another place of the token in the answer that was accepted, or the cookie that it set. */
function withoutToken(seen: StepResponse, tried: TrialContext): DescriptionChange[] {
  const { body, rawHeaders, status } = seen;
  const answer = { status, headers: receivedHeaders(rawHeaders), body };
  const { summary, trace } = parseResponse('login', answer);
  const expression = trace.token && expressionOf(trace.token.path, summary.token ?? '', body, rawHeaders);
  const evidence = trace.token && `${status} ${trace.token.path}: …`;
  const own = valueAtPath(tried.description, 'calls.login.outputs.token') === undefined ? '' : 'calls.login.';
  const inPlace = expression === undefined ? [] : [createChange(`${own}outputs.token`, expression, { evidence })];
  if (!tried.adapter.features.cookie) {
    const byCookie = cookieChanges(tried, seen.step);
    const isFirst = trace.token !== undefined && holdsToken(byCookie[0], summary.token ?? '', rawHeaders);
    return isFirst ? [...byCookie, ...inPlace] : [...inPlace, ...byCookie];
  }
  const asBearer = inPlace.map(({ parts: more }) =>
    createChange('security', { type: 'http', scheme: 'Bearer' }, { evidence, value: 'Bearer', more }),
  );
  return [...cookieChanges(tried, seen.step), ...asBearer];
}

/** The expression of a place of the reader; undefined where it does not lead to the value. */
function expressionOf(
  path: string,
  value: string,
  body: string,
  rawHeaders: StepResponse['rawHeaders'],
): string | undefined {
  const json = parseJson(body);
  const named = /^headers\.(.+)$/.exec(path)?.[1];
  const header = named === undefined ? undefined : rawHeaders.find(([name]) => name.toLowerCase() === named)?.[0];
  if (header !== undefined && (json === undefined || found(json, path, body, value) === undefined))
    return `$response.header.${header}`;
  return found(json, path, body, value);
}

function found(json: PlainJson | undefined, path: string, body: string, value: string): string | undefined {
  const parts = path === 'body' ? [] : path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  const pointer = parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  const expression = `$response.body${pointer === '' ? '' : `#${pointer}`}`;
  return readExpression(expression, json, body)?.includes(value) === true ? expression : undefined;
}

/** The cookies that a log-in set, as that of the session, the likeliest first. */
function cookieChanges({ adapter }: TrialContext, login: TrialStep | undefined): DescriptionChange[] {
  const now = cookieNamePatterns(sessionSchemes(adapter.description));
  const set = (login?.calls ?? []).flatMap(({ response }) => parseSetCookies(response?.rawHeaders ?? []));
  return [...new Map(set.map((each) => [each.name, each])).values()]
    .filter(({ name }) => !againstForgery.test(name) && !ofNoSession.test(name) && !/refresh|remember/i.test(name))
    .filter(({ name }) => !now.some((pattern) => isCookieNamed(name, pattern)))
    .toSorted((one, other) => rank(other) - rank(one))
    .slice(0, 2)
    .map(({ name }) => cookieChange(name, `Set-Cookie: ${name}=…`));
}

/** Whether the cookie of a proposal is called as that of a session is. */
const isOfSession = ({ value }: DescriptionChange): boolean => sessionLike.test(value);

/** Whether the cookie of a proposal holds the token of the body, as better-auth signs it. Others begin a session for everybody. */
function holdsToken(
  change: DescriptionChange | undefined,
  token: string,
  rawHeaders: StepResponse['rawHeaders'],
): boolean {
  const cookie = parseSetCookies(rawHeaders).find(({ name }) => name === change?.value);
  return cookie !== undefined && token.length >= 8 && cookie.value.includes(token);
}

const rank = ({ name, isHidden }: { name: string; isHidden: boolean }): number =>
  (sessionLike.test(name) ? 2 : 0) + (isHidden ? 1 : 0);

const cookieChange = (name: string, evidence: string): DescriptionChange =>
  createChange('security', { type: 'apiKey', in: 'cookie', name }, { evidence, value: name });
const headerChange = (name: string, evidence?: string): DescriptionChange =>
  createChange('security', { type: 'apiKey', in: 'header', name }, { evidence, value: name });
const schemeChange = (scheme: string, evidence?: string): DescriptionChange =>
  createChange('security', { type: 'http', scheme }, { evidence, value: scheme });

const mostOfEach = 2;
/** A header that a text names, such as `x-access-token`; or any word that it calls a header. */
const headersInText = [
  /\b(x-[a-z][\w-]{1,60})\b/gi,
  /["'`]?\b([A-Za-z][\w]*(?:-[\w]+)+)\b["'`]?(?= (?:request )?header)/gi,
  /\bheaders?:?(?: named| called| field| parameter)?:? ["'`]([A-Za-z][\w-]{1,60})["'`]/gi,
  /["'`]([A-Za-z][\w-]{1,60})["'`](?: (?:request|http))? header/gi,
];
/** They carry no session. */
const ofOthers =
  /^(?:authorization|cookie|set-cookie|accept.*|content-.*|user-agent|www-authenticate|host|origin|referer|x-(?:request-id|correlation-id|forwarded.*|real-ip|powered-by|requested-with|frame-options|content.*|ratelimit.*)|x-?(?:csrf|xsrf).*)$/i;
/** `Authorization: Token <token>`, `Format is Authorization: JWT [token]`, `must start with "Token "`. */
const schemesInText = [
  /\bauthorization["'`]?(?: header)?:? ["'`]?([A-Z][\w-]{1,30}) +[<[{(]/gi,
  /\b(?:start|begin|prefix(?:ed)?)s? with ["'`]?([A-Za-z][\w-]{1,30})\b/gi,
  /\b(?:expected|use) (?:the )?["'`]?(Bearer|JWT|Token)\b["'`]? (?:scheme|prefix|token)/gi,
];
/** A server says so of a header that has more in it than the token that it reads. */
const readsWhole =
  /\b(?:jwt|token)\b.{0,20}\bmalformed\b|\bmalformed\b.{0,20}\b(?:jwt|token)\b|invalid token specified|not enough segments|invalid (?:compact )?(?:jws|jwt)|wrong number of segments/i;

/** Where a server looks for what it gave: what it says of that comes first, then what others do. */
function otherCarriers(seen: StepResponse, tried: TrialContext): DescriptionChange[] {
  const { adapter, steps } = tried;
  const ways = sessionSchemes(adapter.description);
  const challenge = seen.rawHeaders
    .filter(([name]) => name.toLowerCase() === 'www-authenticate')
    .map(([, value]) => value)
    .join(', ');
  const sent = schemesOf(adapter.description);
  const headersSent = ways.flatMap((way) => (way.type === 'apiKey' && way.in === 'header' ? [way.name] : []));
  const login = steps.findLast(({ name }) => name === 'login');
  const isNow = (name: string, now: readonly string[]): boolean =>
    now.some((each) => each.toLowerCase() === name.toLowerCase());
  const asked = otherSchemes(challenge, sent)
    .slice(0, mostOfEach)
    .map((each) => schemeChange(each, `WWW-Authenticate: ${challenge}`));
  const texts = (patterns: readonly RegExp[]) =>
    seen.messages.flatMap(({ text }) =>
      patterns.flatMap((pattern) =>
        [...text.matchAll(pattern)].map(([, name = '']) => ({ name, evidence: `${seen.status} ${text}` })),
      ),
    );
  const headers = texts(headersInText)
    .filter(({ name }) => !ofOthers.test(name) && !isNow(name, headersSent))
    .map(({ name, evidence }) => headerChange(name, evidence));
  const schemes = texts(schemesInText)
    .filter(({ name }) => !isNow(name, sent) && !/^(?:the|a|an|your|http.*|basic|digest)$/i.test(name))
    .map(({ name, evidence }) => schemeChange(name, evidence));
  const said = [
    ...asked,
    ...once(headers).slice(0, mostOfEach),
    ...once(schemes).slice(0, mostOfEach),
    ...cookieChanges(tried, login),
  ];
  const malformed = sent.length === 0 ? undefined : findSentence(seen, readsWhole);
  const bare = malformed === undefined ? [] : [headerChange('Authorization', malformed)];
  if (said.length > 0 || bare.length > 0) return [...bare, ...said];
  const isHeld = login?.result.credential?.token !== undefined;
  // It asks for the scheme that was sent, or read the token and refuses it: where the token goes is not why.
  if (
    adapter.features.cookie ||
    !isHeld ||
    ways.every(({ type }) => type === 'none') ||
    schemesIn(challenge).some((each) => isNow(each, sent))
  )
    return [];
  const lacking = findSentence(
    seen,
    /no (?:auth\w* )?token|token (?:is )?(?:missing|required|not (?:found|provided))|missing (?:auth\w* )?token|without (?:a )?token|need a token/i,
  );
  return [
    schemeChange('Bearer', lacking),
    headerChange('x-access-token', lacking),
    schemeChange('Token', lacking),
  ].filter(({ value }) => !isNow(value, [...sent, ...headersSent]));
}

const once = (changes: readonly DescriptionChange[]): DescriptionChange[] => [
  ...new Map(changes.map((each) => [each.value.toLowerCase(), each])).values(),
];

/** By what frameworks name the header of a cookie: Angular and Laravel, Django, and all others. */
const headerOfCookie = (cookie: string): string =>
  /^xsrf-token$/i.test(cookie) ? 'X-XSRF-TOKEN' : /^csrftoken$/i.test(cookie) ? 'X-CSRFToken' : 'X-CSRF-Token';

/** Which cookie and header do for the token of a page (Django's CSRF_COOKIE_NAME, and Laravel's cookie for scripts). */
const insteadOfPage: Readonly<Record<string, { cookie: string; header: string }>> = {
  csrfmiddlewaretoken: { cookie: 'csrftoken', header: 'X-CSRFToken' },
  _token: { cookie: 'XSRF-TOKEN', header: 'X-XSRF-TOKEN' },
};

/**
 * The cookie against forged requests, where a call was refused for it and the server has set one, or is known to. A token
 * of a page goes from the body then.
 */
function forgeryChanges(seen: StepResponse, tried: TrialContext): DescriptionChange[] {
  const { step, at, status, text, path } = seen;
  const { adapter, steps, description } = tried;
  const call = step.calls.at(-1);
  const isForm = step.name === 'login' || step.name === 'register';
  const ofPage = isForm ? findFormCsrfToken(valueAtPath(description, `${at}.body`)) : undefined;
  if (!call?.response || adapter.description.csrf !== undefined) return [];
  if (refusedForForgery(call.response) !== 'surely' && !(ofPage && isRejectedForFormToken(call))) return [];
  const all = steps.flatMap(({ calls }) => calls);
  const set = all
    .flatMap(({ response: each }) => parseSetCookies(each?.rawHeaders ?? []))
    .find(({ name }) => againstForgery.test(name))?.name;
  const known = ofPage && insteadOfPage[ofPage.name];
  const cookie = set ?? known?.cookie;
  if (cookie === undefined) return [];
  const named = /\b(x-(?:csrf|xsrf)[\w-]{0,30})\b/i.exec(text)?.[1];
  // What the answer did not set is set by the page of the form.
  const from = set === undefined ? { from: path } : {};
  const csrf = { cookie, header: named ?? headerOfCookie(cookie), ...from };
  const evidence = set === undefined ? `${status} ${ofPage?.name}` : `${status} Set-Cookie: ${cookie}=…`;
  // Such a token belongs to the session that the page began (Laravel's VerifyCsrfToken).
  const session = ofPage && !adapter.features.cookie ? cookieChanges(tried, step).find(isOfSession) : undefined;
  const more = ofPage ? [...withoutPageToken(ofPage, at, description), ...(session?.parts ?? [])] : [];
  const value = [`${csrf.header}: ${cookie}`, session?.value].filter(Boolean).join(', ');
  return [createChange('csrf', csrf, { evidence, value, more })];
}

/** Takes the member out, with the variable that fills nothing else. */
function withoutPageToken(
  { way, value }: FormCsrfToken,
  at: string,
  description: TrialContext['description'],
): DescriptionChange['parts'] {
  const [name] = placeholderNames(value);
  const isUsedAgain = name !== undefined && JSON.stringify(description).split(`{{${name}}}`).length > 2;
  const isVariable = name !== undefined && valueAtPath(description, `variables.${name}`) !== undefined && !isUsedAgain;
  const member = { at: [...at.split('.'), 'body', ...way], to: undefined };
  return isVariable ? [member, { at: ['variables', name], to: undefined }] : [member];
}
