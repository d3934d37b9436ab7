import type { AppError } from '../../preload/contract/result.ts';
import type { Operation } from '../../preload/contract/names.ts';
import type { ReceivedResponse, Interpretation } from './parse-response.ts';
import { beforeText } from './reading/body.ts';
import { header } from './reading/headers.ts';
import { isGeneric, isAbout, mostTexts } from './reading/sentences.ts';
import { redirectReason } from './reading/intermediary.ts';
import {
  fieldOfRefusedLogin,
  mentionsEitherField,
  formFieldNamed,
  isRegistration,
  isTakenEmail,
  lastPart,
  type FormField,
  wholeSentence,
} from './reading/form-fields.ts';
import { normalizeFieldName } from './secrets/secret-names.ts';
import type { TransportFailure } from './transport-failure.ts';

type Validation = Extract<AppError, { kind: 'validation' }>;

const maxTextCharacters = 500;

/** Makes the error of a request that got no whole answer. */
export function appErrorOfFailure(failure: TransportFailure): AppError {
  switch (failure.kind) {
    case 'offline':
    case 'cancelled':
      return { kind: failure.kind };
    case 'refused':
    case 'no-route':
      return { kind: failure.kind, host: failure.host, addresses: failure.addresses };
    case 'blocked-here':
      return { kind: 'blocked-here', host: failure.host, addresses: failure.addresses, code: failure.code };
    case 'dns':
    case 'name-server':
      return { kind: failure.kind, host: failure.host };
    case 'tls':
    case 'proxy':
    case 'connection-settings':
    case 'broken-http':
      return failure;
    case 'timeout':
      return { kind: 'timeout', phase: failure.phase, seconds: failure.seconds };
    case 'too-large':
    case 'resource-limit':
    case 'truncated':
      return { kind: 'not-an-api-answer', status: failure.status, reason: failure.kind };
    case 'connection-lost':
      return { kind: 'unexpected', reason: 'connection-lost', code: failure.code };
    case 'undecodable':
      return { kind: 'not-an-api-answer', status: failure.status, reason: 'undecodable', detail: failure.code };
    case 'unsendable':
      return { kind: 'unexpected', reason: 'unsendable', code: failure.code };
    default:
      return failure satisfies never;
  }
}

/** What a refused profile says of a token that was issued a moment ago: nothing of a session, which never was. */
export const freshTokenRefused = ({ message, wants }: Extract<AppError, { kind: 'unauthenticated' }>): AppError => ({
  kind: 'unexpected',
  reason: 'fresh-token-refused',
  message,
  ...(wants !== undefined && { wants }),
});

/** Returns the retryAfterField that the server asked for, and nothing when it asked for none. */
function retryAfterField(retryAfterSeconds: number | undefined): { retryAfterSeconds?: number } {
  return retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
}

type Context = { operation: Operation; answer: ReceivedResponse; reading: Interpretation; message: string | undefined };
type Rule = (context: Context) => AppError | undefined;

/** The first rule that has an answer decides. */
const rules: readonly Rule[] = [
  answeredByIntermediary,
  ({ reading, answer, message }) =>
    reading.verdict === 'mfa-required' ? unexpected('mfa-required', answer.status, message) : undefined,
  answeredNothing,
  ({ reading, answer, message }) =>
    reading.verdict === 'accepted-without-token' ? unexpected('no-token', answer.status, message) : undefined,
  throttled,
  accountHeld,
  ({ reading, message }) => (reading.verdict === 'ended' ? { kind: 'unauthenticated', ...text(message) } : undefined),
  refusedByTarget,
  redirected,
  duplicateFault,
  accountGone,
  refreshTokenWanted,
  conflict,
  notAnAnswer,
  refusedCredentials,
  missingOperation,
  registrationClosed,
  validation,
  ({ answer, message, reading: { summary } }) =>
    answer.status >= 500
      ? { kind: 'server-fault', status: answer.status, ...text(message), ...retryAfterField(summary.retryAfterSeconds) }
      : undefined,
  refusedRegistration,
];

/** The error of a response that is no success. Only `client.ts` refines it. */
export function appErrorOfAnswer(operation: Operation, answer: ReceivedResponse, reading: Interpretation): AppError {
  const useful = usefulMessage(reading);
  const message = useful === undefined ? undefined : limited(useful);
  const context: Context = { operation, answer, reading, message: message === '' ? undefined : message };
  for (const rule of rules) {
    const error = rule(context);
    if (error) return error;
  }
  return unexpected('other', answer.status, context.message);
}

function accountHeld({ reading: { trace }, answer, message }: Context): AppError | undefined {
  if (trace.accountState === undefined) return undefined;
  return trace.accountState === 'second-factor'
    ? unexpected('mfa-required', answer.status, message)
    : { kind: 'account-held', state: trace.accountState, ...text(message) };
}

function answeredNothing({ reading, answer: { status } }: Context): AppError | undefined {
  const isMissed = reading.verdict === 'accepted-without-token' || reading.verdict === 'unknown';
  return isMissed && status < 300 && reading.trace.body.form === 'empty'
    ? unexpected('empty', status, undefined)
    : undefined;
}

/** A generic message stands behind whatever says more. */
function usefulMessage(reading: Interpretation): string | undefined {
  const { message } = reading.summary;
  if (message !== undefined && !isGeneric(message)) return message;
  return (
    [...saidTexts(reading), ...reading.trace.formErrors].find((text) => text !== '' && !isGeneric(text)) ?? message
  );
}

/** What the answer says, as far as a person would read it. */
const saidTexts = ({ summary: { message = '', fieldErrors = {} }, trace }: Interpretation): string[] =>
  [message, ...Object.values(fieldErrors).flat(), ...trace.formErrors].slice(0, mostTexts);

function throttled({ answer, reading, message }: Context): AppError | undefined {
  const { retryAfterSeconds } = reading.summary;
  if (answer.status !== 429 && (reading.summary.ok || !saidTexts(reading).some((each) => isAbout('throttled', each))))
    return undefined;
  return { kind: 'throttled', ...text(message), ...retryAfterField(retryAfterSeconds) };
}

const siblings: Partial<Record<Operation, string>> = { registro: 'register', register: 'registro' };

/** Where the description names the redirects that say yes, another target or the form again is a no to what was typed. */
function refusedByTarget({ operation, answer, reading, message }: Context): AppError | undefined {
  if (operation !== 'login' || answer.isLoginSuccess !== false) return undefined;
  return { kind: 'unauthenticated', ...(reading.trace.body.form === 'json' && text(message)) };
}

function redirected({ operation, answer: { status, headers, url } }: Context): AppError | undefined {
  if (status < 300 || status >= 400) return undefined;
  const target = header(headers, 'location');
  const last = target
    ?.split(/[?#]/)[0]
    ?.split('/')
    .findLast((part) => part !== '');
  // A registration is sent nowhere else by itself; the person is offered the other path.
  if (last !== undefined && last === siblings[operation]) return unexpected('operation-missing', status, undefined);
  return {
    kind: 'not-an-api-answer',
    status,
    reason: redirectReason(target, url),
    ...(target !== undefined && { detail: shownTarget(target) }),
  };
}

/** Query and fragment are left out, since they hold codes and tokens where single sign-on is used. */
const shownTarget = (target: string): string => limited(target.replace(/[?#].*$/s, ''));

function answeredByIntermediary({ answer: { status }, reading: { summary, trace } }: Context): AppError | undefined {
  const { inBetween } = trace;
  if (!inBetween) return undefined;
  if (inBetween.what === 'captive-portal') {
    const detail = inBetween.target === undefined ? trace.body.title : shownTarget(inBetween.target);
    return notAnAnswerBy('captive-portal', status, detail);
  }
  // How long to retryAfterField is of more use than the name of the protection.
  if (status === 429 && summary.retryAfterSeconds !== undefined) return undefined;
  return notAnAnswerBy('protection-page', status, [inBetween.vendor, inBetween.id].filter(Boolean).join(', '));
}

function notAnAnswerBy(
  reason: Extract<AppError, { kind: 'not-an-api-answer' }>['reason'],
  status: number,
  detail: string | undefined,
): AppError {
  return { kind: 'not-an-api-answer', status, reason, ...(detail !== undefined && { detail: limited(detail) }) };
}

function notAnAnswer(context: Context): AppError | undefined {
  const { answer, operation, reading } = context;
  const { form, title } = reading.trace.body;
  if (form !== 'html' && form !== 'broken-json' && !(form === 'text' && operation === 'profile' && answer.status < 300))
    return undefined;
  if (answer.status >= 500) {
    return { kind: 'server-fault', status: answer.status, ...retryAfterField(reading.summary.retryAfterSeconds) };
  }
  // Express and others answer a path that they do not serve with a page. At a logout the address is known to be right.
  const missing = answer.status === 404 || answer.status === 405;
  if (missing && (operation === 'logout' || isNoRoutePage(answer)))
    return unexpected('operation-missing', answer.status, undefined);
  const reason = form === 'broken-json' && beginsAsJson(answer) ? 'broken-json' : 'not-json';
  return notAnAnswerBy(form === 'html' && !isXml(answer) ? 'html' : reason, answer.status, title);
}

/** What answers so is the server, and the address is right. */
const beginsAsJson = ({ body }: ReceivedResponse): boolean =>
  typeof body === 'string' && /^\s{0,99}(?:\{\s{0,99}["}]|\[\s{0,99}[[{"\]])/.test(body.slice(beforeText(body).length));

/** XML that is no page: what answers so is a service, and no website. */
const isXml = ({ body }: ReceivedResponse): boolean =>
  typeof body === 'string' &&
  /^\s*<\?xml\b/.test(body.slice(0, 1_000)) &&
  !/<!doctype html|<html\b/i.test(body.slice(0, 5_000));

function isNoRoutePage({ body }: ReceivedResponse): boolean {
  return typeof body === 'string' && /\bCannot (?:GET|POST) \//.test(body.slice(0, 5_000));
}

function refusedCredentials({ operation, answer, reading, message }: Context): AppError | undefined {
  if (operation !== 'login') return undefined;
  const { fieldErrors = {} } = reading.summary;
  const aboutCredentials = saidTexts(reading).some(
    (each) => mentionsEitherField(each) || (isAbout('credentials', each) && !isAbout('routeMissing', each)),
  );
  const saysNo = answer.status === 401 || answer.status === 403 || answer.status < 300;
  const hasFields = Object.keys(fieldErrors).length > 0;
  if (!aboutCredentials && (!saysNo || hasFields)) return undefined;
  const field = message === undefined ? undefined : fieldOfRefusedLogin(message);
  return { kind: 'unauthenticated', ...text(message), ...(field && { field }) };
}

/** The token was good, and whose it is is not there: the session is of no use, and the person is to know why. */
function accountGone({ operation, answer: { status }, reading, message }: Context): AppError | undefined {
  const { message: said } = reading.summary;
  const isGone = isAbout('accountGone', said) && !isAbout('routeMissing', said);
  return operation === 'profile' && (status === 404 || status === 410) && isGone
    ? unexpected('account-gone', status, message)
    : undefined;
}

/** Only the server's operator can change that: the interface has no such token. */
function refreshTokenWanted({ operation, answer: { status }, reading, message }: Context): AppError | undefined {
  const names = Object.keys(reading.summary.fieldErrors ?? {}).map((name) => normalizeFieldName(lastPart(name)));
  const isWanted =
    names.some((name) => name === 'refresh' || name === 'refreshtoken') ||
    saidTexts(reading).some((each) => isAbout('refreshToken', each));
  return operation === 'logout' && status >= 400 && status < 500 && isWanted
    ? unexpected('refresh-token-wanted', status, message)
    : undefined;
}

/** What a registration conflicts with is there already, whatever page says so (RFC 9110, section 15.5.10). */
function conflict({ operation, answer: { status }, reading, message }: Context): AppError | undefined {
  const saysNothing =
    reading.trace.body.form === 'html' || (message === undefined && reading.summary.fieldErrors === undefined);
  return isRegistration(operation) && status === 409 && saysNothing
    ? unexpected('already-there', status, undefined)
    : undefined;
}

/** Nothing that was entered is wrong where nobody may register. */
function registrationClosed({ operation, answer: { status }, reading, message }: Context): AppError | undefined {
  return isRegistration(operation) &&
    status < 500 &&
    saidTexts(reading).some((each) => isAbout('registrationClosed', each))
    ? unexpected('registration-closed', status, message)
    : undefined;
}

/** 404 is ambiguous: tutorial servers say it of a wrong password too, and an earlier rule has asked about that. */
function missingOperation({ operation, answer: { status }, reading, message }: Context): AppError | undefined {
  const missing =
    status === 405 || status === 410 || status === 501 || isAbout('routeMissing', reading.summary.message);
  const silent404 = status === 404 && (reading.summary.message === undefined || operation !== 'profile');
  const hasFields = reading.summary.fieldErrors !== undefined;
  // ASP.NET Core sends an empty 404 for a missing path, FusionAuth for a wrong password
  // (https://fusionauth.io/docs/apis/login).
  if (operation === 'login' && status === 404 && reading.trace.body.form === 'empty')
    return unexpected('login-not-found', status, undefined);
  return !hasFields && status >= 400 && (missing || silent404)
    ? unexpected('operation-missing', status, message)
    : undefined;
}

/** A database that refuses what is there already, and a server that did not expect it: trying again later is no use. */
function duplicateFault({ answer: { status }, reading, message }: Context): AppError | undefined {
  const { duplicate } = reading.trace;
  return duplicate !== undefined && status >= 500
    ? { kind: 'server-fault', status, ...text(message), duplicate }
    : undefined;
}

/** Puts texts under the form's own fields, and all others into `form`, named by the server's field. */
function validation({ operation, answer, reading, message }: Context): AppError | undefined {
  const { fieldErrors } = reading.summary;
  const ofForm = [...reading.trace.formErrors, ...(message === undefined ? [] : [message])];
  const taken = isRegistration(operation) && !fieldErrors ? ofForm.find(isTakenEmail) : undefined;
  if (taken !== undefined)
    return { kind: 'validation', ...text(message), fields: { email: [limited(taken)] }, form: [] };
  if (!fieldErrors && reading.trace.formErrors.length === 0) return undefined;
  const fields: Validation['fields'] = {};
  const form = new Set(reading.trace.formErrors.slice(0, mostTexts).map(limited));
  for (const [serverName, texts] of Object.entries(fieldErrors ?? {}).slice(0, mostTexts)) {
    const name = limited(serverName);
    const limitedTexts = texts.slice(0, mostTexts).map((each) => limited(wholeSentence(name, each)));
    const field = formFieldOf(operation, name, answer.fieldsByMember);
    if (field) fields[field] = [...(fields[field] ?? []), ...limitedTexts];
    else
      for (const each of limitedTexts)
        form.add(normalizeFieldName(each).includes(normalizeFieldName(name)) ? each : `${name}: ${each}`);
  }
  const shown = isGeneric(reading.summary.message ?? '') ? undefined : message;
  const ofFields = Object.values(fieldErrors ?? {}).flat();
  if (shown !== undefined && ofFields.length > 0 && saysMore(shown, ofFields)) form.add(shown);
  // Beside texts of fields a message is shown only as one of the form's, and without them above these.
  if (shown !== undefined && Object.keys(fields).length === 0) form.delete(shown);
  return { kind: 'validation', ...text(shown), fields, form: [...form] };
}

/** Says whether a message is a sentence that has none of the texts of the fields in it, nor is in one of them. */
function saysMore(message: string, ofFields: readonly string[]): boolean {
  const whole = normalizeFieldName(message);
  const isSentence = /\S\s+\S/.test(message) && !/^[[{]/.test(message);
  return (
    isSentence &&
    ofFields
      .slice(0, mostTexts)
      .every((each) => !whole.includes(normalizeFieldName(each)) && !normalizeFieldName(each).includes(whole))
  );
}

/** Returns the field of the form. `cpassword` has an input with `/register` alone, and the name with registrations. */
function formFieldOf(
  operation: Operation,
  serverName: string,
  filledFrom: ReceivedResponse['fieldsByMember'] = {},
): FormField | 'username' | undefined {
  const member = lastPart(serverName);
  const named = formFieldNamed(serverName);
  const filled = Object.hasOwn(filledFrom, member) ? filledFrom[member] : undefined;
  // A description says which field it was filled from. The name of an interface without one may be meant otherwise.
  const field = filled === 'username' || (named === 'name' && filled === 'email') ? filled : named;
  if (field === 'cpassword' && operation !== 'register') return undefined;
  return field === 'name' && operation === 'login' ? 'email' : field;
}

/** Names a registration or a login that was understood and refused, in words that name no field. */
function refusedRegistration({ operation, answer: { status }, message }: Context): AppError | undefined {
  const refuses = status < 300 || status === 400 || status === 409 || status === 422;
  const hasForm = operation !== 'profile' && operation !== 'logout';
  return refuses && hasForm ? { kind: 'validation', ...text(message), fields: {}, form: [] } : undefined;
}

function unexpected(
  reason: Extract<AppError, { kind: 'unexpected' }>['reason'],
  status: number,
  message: string | undefined,
): AppError {
  return { kind: 'unexpected', reason, status, ...text(message) };
}

const text = (message: string | undefined): { message?: string } => (message === undefined ? {} : { message });

/** Limits a server's text: no control characters, none that turn the reading direction, and no great length. */
function limited(serverText: string): string {
  const cleaned = serverText
    .slice(0, maxTextCharacters * 4)
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
  return cleaned.length > maxTextCharacters ? `${cleaned.slice(0, maxTextCharacters - 1)}…` : cleaned;
}
