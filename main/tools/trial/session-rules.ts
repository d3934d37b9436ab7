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

const csrfName = /csrf|xsrf|forgery/i;
const sessionLike = /sess|sid\b|auth|token|jwt|identity|login/i;
/** Cookies of statistics, load balancers and preferences. */
const otherCookie = /^(?:_ga|_gid|_gat|_fbp|ajs_|__cf|cf_|AWSALB|lang|locale|theme|i18n|consent|visitor|utm)/i;

/** Changes of where the token is in the log-in response, and how later calls carry it. */
export function proposeSessionChanges(stepResponse: StepResponse, context: TrialContext): DescriptionChange[] {
  const { step } = stepResponse;
  const csrf = csrfChanges(stepResponse, context);
  if (csrf.length > 0) return csrf;
  if (step.name === 'login' && stepResponse.status >= 200 && stepResponse.status < 300)
    return tokenChanges(stepResponse, context);
  if (step.name === 'login' && stepResponse.status >= 300 && stepResponse.status < 400)
    return redirectChanges(stepResponse, context);
  if (step.name !== 'profile') return [];
  if (isRefused(stepResponse)) return credentialChanges(stepResponse, context);
  // A server that reads its cookie only may respond with an empty profile instead of 401, as better-auth with `null`.
  const login = context.steps.findLast(({ name }) => name === 'login');
  return stepResponse.status >= 200 && stepResponse.status < 300
    ? cookieChanges(context, login).filter(isSessionCookie)
    : [];
}

/**
 * Servers with pages confirm a log-in with a redirect and a cookie (Passport's `successRedirect`, Devise, Django). A
 * redirect to a log-in page is a refusal, and another host is another server.
 */
function redirectChanges({ status, headers, step }: StepResponse, context: TrialContext): DescriptionChange[] {
  const location = headers.get('location') ?? '';
  const requested = step.calls.at(-1)?.request.url ?? '';
  const isSameOrigin = URL.parse(location, requested)?.origin === URL.parse(requested)?.origin;
  // A query may contain a secret, and differs at each log-in.
  if (!isSameOrigin || /[?#]/.test(location) || redirectReason(location, requested) !== 'redirect') return [];
  if (valueAtPath(context.description, 'calls.login.success') !== undefined) return [];
  const [cookie] = cookieChanges(context, step);
  if (!cookie && !context.adapter.features.cookie) return [];
  const evidence = [`${status} Location: ${location}`, cookie?.evidence].filter(Boolean).join(', ');
  const value = [`${status} ${location}`, cookie?.value].filter(Boolean).join(', ');
  return [createChange('calls.login.success', [{ status, location }], { evidence, value, more: cookie?.parts ?? [] })];
}

const isRefused = ({ status, step }: StepResponse): boolean =>
  status === 401 ||
  status === 403 ||
  (!step.result.ok && step.result.error.kind === 'unauthenticated') ||
  (status === 400 && !step.result.ok);

/** The path of a token in the successful response, or a cookie that it set. */
function tokenChanges(stepResponse: StepResponse, context: TrialContext): DescriptionChange[] {
  const { body, rawHeaders, status } = stepResponse;
  const { summary, trace } = parseResponse('login', { status, headers: receivedHeaders(rawHeaders), body });
  const expression = trace.token && expressionOf(trace.token.path, summary.token ?? '', body, rawHeaders);
  const evidence = trace.token && `${status} ${trace.token.path}: …`;
  const scope = valueAtPath(context.description, 'calls.login.outputs.token') === undefined ? '' : 'calls.login.';
  const outputChanges =
    expression === undefined ? [] : [createChange(`${scope}outputs.token`, expression, { evidence })];
  if (!context.adapter.features.cookie) {
    const byCookie = cookieChanges(context, stepResponse.step);
    const isFirst = trace.token !== undefined && holdsToken(byCookie[0], summary.token ?? '', rawHeaders);
    return isFirst ? [...byCookie, ...outputChanges] : [...outputChanges, ...byCookie];
  }
  const asBearer = outputChanges.map(({ parts: more }) =>
    createChange('security', { type: 'http', scheme: 'Bearer' }, { evidence, value: 'Bearer', more }),
  );
  return [...cookieChanges(context, stepResponse.step), ...asBearer];
}

/** The runtime expression of a path of the token finder; undefined if it does not lead to the value. */
function expressionOf(
  path: string,
  value: string,
  body: string,
  rawHeaders: StepResponse['rawHeaders'],
): string | undefined {
  const json = parseJson(body);
  const named = /^headers\.(.+)$/.exec(path)?.[1];
  const header = named === undefined ? undefined : rawHeaders.find(([name]) => name.toLowerCase() === named)?.[0];
  if (header !== undefined && (json === undefined || bodyExpression(json, path, body, value) === undefined))
    return `$response.header.${header}`;
  return bodyExpression(json, path, body, value);
}

function bodyExpression(json: PlainJson | undefined, path: string, body: string, value: string): string | undefined {
  const parts = path === 'body' ? [] : path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  const pointer = parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  const expression = `$response.body${pointer === '' ? '' : `#${pointer}`}`;
  return readExpression(expression, json, body)?.includes(value) === true ? expression : undefined;
}

/** Each cookie that the log-in set as that of the session, the likeliest first. */
function cookieChanges({ adapter }: TrialContext, login: TrialStep | undefined): DescriptionChange[] {
  const current = cookieNamePatterns(sessionSchemes(adapter.description));
  const set = (login?.calls ?? []).flatMap(({ response }) => parseSetCookies(response?.rawHeaders ?? []));
  return [...new Map(set.map((each) => [each.name, each])).values()]
    .filter(({ name }) => !csrfName.test(name) && !otherCookie.test(name) && !/refresh|remember/i.test(name))
    .filter(({ name }) => !current.some((pattern) => isCookieNamed(name, pattern)))
    .toSorted((one, other) => rank(other) - rank(one))
    .slice(0, 2)
    .map(({ name }) => cookieChange(name, `Set-Cookie: ${name}=…`));
}

const isSessionCookie = ({ value }: DescriptionChange): boolean => sessionLike.test(value);

/** Whether the cookie contains the token of the body, as better-auth's signed one. Other servers set a cookie for everybody. */
function holdsToken(
  change: DescriptionChange | undefined,
  token: string,
  rawHeaders: StepResponse['rawHeaders'],
): boolean {
  const cookie = parseSetCookies(rawHeaders).find(({ name }) => name === change?.value);
  return cookie !== undefined && token.length >= 8 && cookie.value.includes(token);
}

const rank = ({ name, isHttpOnly }: { name: string; isHttpOnly: boolean }): number =>
  (sessionLike.test(name) ? 2 : 0) + (isHttpOnly ? 1 : 0);

const cookieChange = (name: string, evidence: string): DescriptionChange =>
  createChange('security', { type: 'apiKey', in: 'cookie', name }, { evidence, value: name });
const headerChange = (name: string, evidence?: string): DescriptionChange =>
  createChange('security', { type: 'apiKey', in: 'header', name }, { evidence, value: name });
const schemeChange = (scheme: string, evidence?: string): DescriptionChange =>
  createChange('security', { type: 'http', scheme }, { evidence, value: scheme });

const maxOfKind = 2;
/** A header that a text names, such as `x-access-token`, or any word that it calls a header. */
const headersInText = [
  /\b(x-[a-z][\w-]{1,60})\b/gi,
  /["'`]?\b([A-Za-z][\w]*(?:-[\w]+)+)\b["'`]?(?= (?:request )?header)/gi,
  /\bheaders?:?(?: named| called| field| parameter)?:? ["'`]([A-Za-z][\w-]{1,60})["'`]/gi,
  /["'`]([A-Za-z][\w-]{1,60})["'`](?: (?:request|http))? header/gi,
];
const standardHeader =
  /^(?:authorization|cookie|set-cookie|accept.*|content-.*|user-agent|www-authenticate|host|origin|referer|x-(?:request-id|correlation-id|forwarded.*|real-ip|powered-by|requested-with|frame-options|content.*|ratelimit.*)|x-?(?:csrf|xsrf).*)$/i;
/** `Authorization: Token <token>`, `Format is Authorization: JWT [token]`, `must start with "Token "`. */
const schemesInText = [
  /\bauthorization["'`]?(?: header)?:? ["'`]?([A-Z][\w-]{1,30}) +[<[{(]/gi,
  /\b(?:start|begin|prefix(?:ed)?)s? with ["'`]?([A-Za-z][\w-]{1,30})\b/gi,
  /\b(?:expected|use) (?:the )?["'`]?(Bearer|JWT|Token)\b["'`]? (?:scheme|prefix|token)/gi,
];
/** Errors of servers that read the whole header as the token, without a scheme. */
const malformedToken =
  /\b(?:jwt|token)\b.{0,20}\bmalformed\b|\bmalformed\b.{0,20}\b(?:jwt|token)\b|invalid token specified|not enough segments|invalid (?:compact )?(?:jws|jwt)|wrong number of segments/i;

/** Other ways to carry the credential: those that the response names, or else the usual ones. */
function credentialChanges(stepResponse: StepResponse, context: TrialContext): DescriptionChange[] {
  const { adapter, steps } = context;
  const schemesNow = sessionSchemes(adapter.description);
  const challenge = stepResponse.rawHeaders
    .filter(([name]) => name.toLowerCase() === 'www-authenticate')
    .map(([, value]) => value)
    .join(', ');
  const sent = schemesOf(adapter.description);
  const headersSent = schemesNow.flatMap((each) => (each.type === 'apiKey' && each.in === 'header' ? [each.name] : []));
  const login = steps.findLast(({ name }) => name === 'login');
  const isAmong = (name: string, names: readonly string[]): boolean =>
    names.some((each) => each.toLowerCase() === name.toLowerCase());
  const challenged = otherSchemes(challenge, sent)
    .slice(0, maxOfKind)
    .map((each) => schemeChange(each, `WWW-Authenticate: ${challenge}`));
  const texts = (patterns: readonly RegExp[]) =>
    stepResponse.messages.flatMap(({ text }) =>
      patterns.flatMap((pattern) =>
        [...text.matchAll(pattern)].map(([, name = '']) => ({ name, evidence: `${stepResponse.status} ${text}` })),
      ),
    );
  const headers = texts(headersInText)
    .filter(({ name }) => !standardHeader.test(name) && !isAmong(name, headersSent))
    .map(({ name, evidence }) => headerChange(name, evidence));
  const schemes = texts(schemesInText)
    .filter(({ name }) => !isAmong(name, sent) && !/^(?:the|a|an|your|http.*|basic|digest)$/i.test(name))
    .map(({ name, evidence }) => schemeChange(name, evidence));
  const named = [
    ...challenged,
    ...distinct(headers).slice(0, maxOfKind),
    ...distinct(schemes).slice(0, maxOfKind),
    ...cookieChanges(context, login),
  ];
  const malformed = sent.length === 0 ? undefined : findSentence(stepResponse, malformedToken);
  const bare = malformed === undefined ? [] : [headerChange('Authorization', malformed)];
  if (named.length > 0 || bare.length > 0) return [...bare, ...named];
  const hasToken = login?.result.credential?.token !== undefined;
  // The server asks for the scheme that was sent, so it has read the token and refuses it for another reason.
  if (
    adapter.features.cookie ||
    !hasToken ||
    schemesNow.every(({ type }) => type === 'none') ||
    schemesIn(challenge).some((each) => isAmong(each, sent))
  )
    return [];
  const missingToken = findSentence(
    stepResponse,
    /no (?:auth\w* )?token|token (?:is )?(?:missing|required|not (?:found|provided))|missing (?:auth\w* )?token|without (?:a )?token|need a token/i,
  );
  return [
    schemeChange('Bearer', missingToken),
    headerChange('x-access-token', missingToken),
    schemeChange('Token', missingToken),
  ].filter(({ value }) => !isAmong(value, [...sent, ...headersSent]));
}

const distinct = (changes: readonly DescriptionChange[]): DescriptionChange[] => [
  ...new Map(changes.map((each) => [each.value.toLowerCase(), each])).values(),
];

/** The CSRF header of a cookie: of Angular and Laravel, of Django, and of all others. */
const csrfHeaderFor = (cookie: string): string =>
  /^xsrf-token$/i.test(cookie) ? 'X-XSRF-TOKEN' : /^csrftoken$/i.test(cookie) ? 'X-CSRFToken' : 'X-CSRF-Token';

/** Cookie and header that a server accepts instead of the form field (Django's CSRF_COOKIE_NAME, Laravel's XSRF-TOKEN). */
const csrfCookies: Readonly<Record<string, { cookie: string; header: string }>> = {
  csrfmiddlewaretoken: { cookie: 'csrftoken', header: 'X-CSRFToken' },
  _token: { cookie: 'XSRF-TOKEN', header: 'X-XSRF-TOKEN' },
};

/**
 * A CSRF cookie, where a call was refused for lack of it and the server has set one, or is known to. The form field with
 * the token is removed from the body then.
 */
function csrfChanges(stepResponse: StepResponse, context: TrialContext): DescriptionChange[] {
  const { step, at, status, text, path } = stepResponse;
  const { adapter, steps, description } = context;
  const call = step.calls.at(-1);
  const isForm = step.name === 'login' || step.name === 'register';
  const formToken = isForm ? findFormCsrfToken(valueAtPath(description, `${at}.body`)) : undefined;
  if (!call?.response || adapter.description.csrf !== undefined) return [];
  if (refusedForForgery(call.response) !== 'surely' && !(formToken && isRejectedForFormToken(call))) return [];
  const setCookie = steps
    .flatMap(({ calls }) => calls)
    .flatMap(({ response: each }) => parseSetCookies(each?.rawHeaders ?? []))
    .find(({ name }) => csrfName.test(name))?.name;
  const known = formToken && csrfCookies[formToken.name];
  const cookie = setCookie ?? known?.cookie;
  if (cookie === undefined) return [];
  const named = /\b(x-(?:csrf|xsrf)[\w-]{0,30})\b/i.exec(text)?.[1];
  // A cookie that no response has set is set by the page of the form.
  const from = setCookie === undefined ? { from: path } : {};
  const csrf = { cookie, header: named ?? csrfHeaderFor(cookie), ...from };
  const evidence = setCookie === undefined ? `${status} ${formToken?.name}` : `${status} Set-Cookie: ${cookie}=…`;
  // Such a token is valid only in the session that the page began (Laravel's VerifyCsrfToken).
  const session =
    formToken && !adapter.features.cookie ? cookieChanges(context, step).find(isSessionCookie) : undefined;
  const more = formToken ? [...removeFormToken(formToken, at, description), ...(session?.parts ?? [])] : [];
  const value = [`${csrf.header}: ${cookie}`, session?.value].filter(Boolean).join(', ');
  return [createChange('csrf', csrf, { evidence, value, more })];
}

/** Removes the member, and its variable if nothing else uses that. */
function removeFormToken(
  { path, value }: FormCsrfToken,
  at: string,
  description: TrialContext['description'],
): DescriptionChange['parts'] {
  const [name] = placeholderNames(value);
  const isUsedAgain = name !== undefined && JSON.stringify(description).split(`{{${name}}}`).length > 2;
  const isVariable = name !== undefined && valueAtPath(description, `variables.${name}`) !== undefined && !isUsedAgain;
  const member = { at: [...at.split('.'), 'body', ...path], to: undefined };
  return isVariable ? [member, { at: ['variables', name], to: undefined }] : [member];
}
