import type { ParseKeys } from 'i18next';
import type { CertificateDetails } from '../preload/contract/connection.ts';
import type { TrialCall } from '../preload/contract/trial.ts';
import type { AppError } from '../preload/contract/result.ts';
import { formatDuration } from './format.ts';
import { t } from './i18n.ts';

type Situation = 'login' | 'register' | 'check' | 'logout' | 'server' | 'change-password' | 'delete-account';
type Tried = TrialCall['call'];
type DuringTrial = `trial-${Tried}`;

/** The action that failed; some kinds of error depend on it. In a trial, the API description is the probable cause. */
export type During = Situation | DuringTrial;

/** The texts of an error, all plain: `serverMessage` and `detail` come from outside and are never rendered as HTML. */
export interface ErrorTexts {
  /** What happened, in one sentence. */
  message: string;
  /** What the user can try. */
  advice: string;
  /** The server's own message, shortened. */
  serverMessage?: string | undefined;
  /** A code, a page title or the attempted addresses, for support. */
  detail?: string;
}

const longestOutsideText = 400;

/** Returns one line of at most 400 characters, so that a server's text cannot push the form off the screen. */
export function shorten(text: string): string {
  const oneLine = text.replaceAll(/\s+/g, ' ').trim();
  // Code points are counted, since half of a surrogate pair would be shown as a replacement character.
  const characters = Array.from(oneLine);
  return characters.length > longestOutsideText ? `${characters.slice(0, longestOutsideText).join('')}…` : oneLine;
}

/**
 * Formats an error in the language of `t`.
 * @param plain avoids technical terms, as in the simple mode
 */
export function errorText(error: AppError, during: During, plain = false): ErrorTexts {
  const { situation, tried } = isOfTrial(during) ? trials[during] : { situation: during, tried: undefined };
  const found = keysFor(error.kind, error, situation);
  const [message, advice] = tried
    ? ofTrial(tried, found, plain)
    : plain
      ? [plainly(found[0]), plainly(found[1])]
      : found;
  const replace = { ...valuesOf(error, plain), ...(tried && partNames(tried)) };
  const serverMessage = 'message' in error && !isForExperts(error) ? error.message?.trim() : undefined;
  const whatHappened = t(message, { replace });
  const detail = detailFor(error.kind, error, whatHappened);
  const more = moreOn(during, error);
  return {
    message: whatHappened,
    advice: [t(advice, { replace }), more].filter(Boolean).join(' '),
    ...(serverMessage ? { serverMessage: shorten(serverMessage) } : {}),
    ...(detail ? { detail: shorten(detail) } : {}),
  };
}

/** True if the server's message is the output of a program, which is shown as a detail. */
const isForExperts = (error: AppError): boolean =>
  error.kind === 'built-in-stopped' || (error.kind === 'server-fault' && error.duplicate !== undefined);

/**
 * Removes the waiting time, which a countdown beside the error shows: from the advice, and from the server's message
 * each sentence that contains a time.
 */
export function withoutWait(texts: ErrorTexts, error: AppError): ErrorTexts {
  const serverMessage = texts.serverMessage
    ?.split(/(?<=[.!?]) /)
    .filter((sentence) => !/\d ?(?:s\b|sec|seg|min|h\b|hour|hora|heure|stunde)/i.test(sentence))
    .join(' ');
  const advice = error.kind === 'throttled' ? t('error.throttled.adviceCounted') : texts.advice;
  return { ...texts, advice, serverMessage: serverMessage === '' ? undefined : serverMessage };
}

const perhaps = {
  register: 'error.perhapsRegistered',
  'change-password': 'error.perhapsChanged',
  'delete-account': 'error.perhapsDeleted',
} as const;

function moreOn(during: During, error: AppError): string | undefined {
  if (during !== 'register' && during !== 'change-password' && during !== 'delete-account') return undefined;
  if ('perhapsDone' in error && error.perhapsDone) return t(perhaps[during]);
  const isMissing = error.kind === 'unexpected' && error.reason === 'operation-missing';
  return during === 'register' && isMissing ? t('error.otherPath') : undefined;
}

type Kind = AppError['kind'];
type ErrorOf = { [E in AppError as E['kind']]: E };

/** Translation keys of the message and of the advice. */
type Keys = readonly [message: ParseKeys, advice: ParseKeys];

/** A key below `error` that has both a message and an advice. */
type Place<Key = ParseKeys> = Key extends `error.${infer P}.message` ? P : never;

const at = (place: Place): Keys => [`error.${place}.message`, `error.${place}.advice`];
const atKind = ({ kind }: { kind: Kind & Place }): Keys => at(kind);

/** The placeholders of the texts are the fields of the error, with what `valuesOf` adds. */
const keys: { [K in Kind]: (error: ErrorOf[K], during: Situation) => Keys } = {
  offline: atKind,
  refused: atKind,
  'no-route': atKind,
  'blocked-here': atKind,
  dns: atKind,
  'name-server': atKind,
  tls: ({ problem }) => at(`tls.${problem}`),
  proxy: ({ problem }) => at(`proxy.${problem}`),
  'connection-settings': ({ problem }) => at(`connection-settings.${problem}`),
  timeout: ({ phase }) => at(`timeout.${phase}`),
  cancelled: atKind,
  'not-an-api-answer': ({ reason }) => at(`not-an-api-answer.${reason}`),
  'broken-http': ({ problem }) => at(`broken-http.${problem}`),
  validation: atKind,
  unauthenticated: (_error, during) =>
    at(during === 'login' || during === 'register' ? 'unauthenticated.login' : 'unauthenticated.session'),
  'account-held': ({ state }) => at(`account-held.${state}`),
  'wrong-code': atKind,
  throttled: ({ retryAfterSeconds }) => [
    'error.throttled.message',
    retryAfterSeconds === undefined ? 'error.throttled.adviceNoNumber' : 'error.throttled.advice',
  ],
  'server-fault': ({ duplicate }) => at(duplicate === undefined ? 'server-fault' : `server-fault-${duplicate}`),
  // A missing operation may exist at another path or address, except for a logout: only the session's server can end
  // it.
  unexpected({ reason, wants }, during) {
    if (during === 'logout' && reason === 'operation-missing') return at('unexpected.logout-missing');
    const isOtherScheme = reason === 'fresh-token-refused' && wants !== undefined;
    return at(isOtherScheme ? 'unexpected.other-scheme-wanted' : `unexpected.${reason}`);
  },
  'invalid-address': ({ problem }) => at(`invalid-address.${problem}`),
  'invalid-connection': ({ field }) => at(`invalid-connection.${field}`),
  'invalid-header': ({ problem }) => at(`invalid-header.${problem}`),
  'invalid-interface': atKind,
  'session-in-cookie': ({ fits }) => at(fits.length > 0 ? 'session-in-cookie' : 'session-in-cookie-unknown'),
  'cookie-not-kept': ({ why }) => at(`cookie-not-kept.${why}`),
  'path-value': ({ why }) => at(`path-value.${why}`),
  'production-not-confirmed': atKind,
  'wrong-host': atKind,
  'other-address': atKind,
  'import-refused': ({ reason }) => [`error.import-refused.${reason}`, 'error.import-refused.advice'],
  'run-refused': ({ problem }) => at(`run-refused.${problem}`),
  'not-a-command': ({ problem }) => at(`not-a-command.${problem}`),
  'not-replayable': ({ problem }) => at(`not-replayable.${problem}`),
  // `ELOOP` is a code of the system, `network-path` one of the application.
  'file-failed': ({ code }) =>
    at(code === 'ELOOP' ? 'file-failed-link' : code === 'network-path' ? 'file-failed-network' : 'file-failed'),
  'invalid-fault': atKind,
  'invalid-origin': atKind,
  'clock-not-moved': ({ reason }) => at(`clock-not-moved.${reason}`),
  'copy-failed': ({ reason }) => at(`copy-failed.${reason}`),
  'database-unavailable': ({ reason }) => [`error.database-unavailable.${reason}`, 'error.database-unavailable.advice'],
  'demo-taken': atKind,
  'not-seeded': atKind,
  'built-in-stopped': atKind,
  'mock-refused': ({ problem }) => at(`mock-refused.${problem}`),
  'mock-stopped': atKind,
  'token-unreadable': atKind,
  'no-browser': atKind,
  locked: atKind,
  'wrong-pin': ({ triesLeft }) => at(triesLeft > 0 ? 'wrong-pin' : 'wrong-pin.none'),
  'not-asked': atKind,
  'not-agreed': atKind,
  'not-now': atKind,
  bug: atKind,
};

/** Texts without technical terms, for those that contain some. */
const inPlainWords: Partial<Record<ParseKeys, ParseKeys>> = {
  'error.refused.advice': 'error.plain.refused',
  'error.tls.handshake.advice': 'error.plain.tlsHandshake',
  'error.tls.not-tls.message': 'error.plain.noTls',
  'error.tls.not-tls.advice': 'error.plain.tlsHandshake',
  'error.tls.version.message': 'error.plain.noTls',
  'error.tls.version.advice': 'error.plain.tellWhoever',
  'error.tls.protocol.message': 'error.plain.noTls',
  'error.tls.protocol.advice': 'error.plain.tlsHandshake',
  'error.broken-http.head-too-long.advice': 'error.plain.tellWhoever',
  'error.broken-http.length.message': 'error.plain.brokenHttp',
  'error.broken-http.length.advice': 'error.plain.tellWhoever',
  'error.broken-http.line-ends.message': 'error.plain.brokenHttp',
  'error.broken-http.line-ends.advice': 'error.plain.tellWhoever',
  'error.broken-http.chunks.message': 'error.plain.brokenHttp',
  'error.broken-http.chunks.advice': 'error.plain.tellWhoever',
  'error.broken-http.http-2.message': 'error.plain.http2',
  'error.broken-http.http-2.advice': 'error.plain.tlsHandshake',
  'error.broken-http.not-http.advice': 'error.plain.tlsHandshake',
  'error.broken-http.other.message': 'error.plain.brokenHttp',
  'error.broken-http.other.advice': 'error.plain.tellWhoever',
  'error.not-an-api-answer.undecodable.advice': 'error.plain.tellWhoever',
  'error.not-an-api-answer.resource-limit.message': 'error.plain.resourceLimit',
  'error.unexpected.refresh-token-wanted.message': 'error.plain.refreshWanted',
  'error.unexpected.token-unsendable.message': 'error.plain.tokenUnsendable',
  'error.unexpected.token-unsendable.advice': 'error.plain.tellWhoever',
  'error.not-an-api-answer.redirect-to-https.advice': 'error.plain.redirectToHttps',
  'error.not-an-api-answer.redirect-to-login.advice': 'error.plain.redirectToLogin',
  'error.server-fault.message': 'error.plain.serverFault',
  'error.unexpected.empty.message': 'error.plain.empty',
  'error.unexpected.no-token.message': 'error.plain.noToken',
  'error.unexpected.no-token.advice': 'error.plain.noTokenTry',
  'error.unexpected.fresh-token-refused.message': 'error.plain.freshRefused',
  'error.unexpected.fresh-token-refused.advice': 'error.plain.freshRefusedTry',
  'error.unexpected.other-scheme-wanted.message': 'error.plain.freshRefused',
  'error.unexpected.other-scheme-wanted.advice': 'error.plain.freshRefusedTry',
  'error.unexpected.operation-missing.advice': 'error.plain.operationMissingTry',
  'error.unexpected.login-not-found.advice': 'error.unauthenticated.login.advice',
  'error.cookie-not-kept.not-secure.message': 'error.plain.noToken',
  'error.cookie-not-kept.not-secure.advice': 'error.plain.noTokenTry',
  'error.cookie-not-kept.prefix.message': 'error.plain.noToken',
  'error.cookie-not-kept.prefix.advice': 'error.plain.noTokenTry',
  'error.cookie-not-kept.domain.message': 'error.plain.noToken',
  'error.cookie-not-kept.domain.advice': 'error.plain.noTokenTry',
  'error.cookie-not-kept.path.message': 'error.plain.noToken',
  'error.cookie-not-kept.path.advice': 'error.plain.noTokenTry',
  'error.cookie-not-kept.expired.message': 'error.plain.noToken',
  'error.cookie-not-kept.expired.advice': 'error.plain.noTokenTry',
  'error.cookie-not-kept.too-large.message': 'error.plain.noToken',
  'error.cookie-not-kept.too-large.advice': 'error.plain.noTokenTry',
  'error.cookie-not-kept.too-many.message': 'error.plain.noToken',
  'error.cookie-not-kept.too-many.advice': 'error.plain.noTokenTry',
  'error.session-in-cookie.message': 'error.plain.noToken',
  'error.session-in-cookie.advice': 'error.plain.noTokenTry',
  'error.session-in-cookie-unknown.message': 'error.plain.noToken',
  'error.session-in-cookie-unknown.advice': 'error.plain.noTokenTry',
  'error.invalid-address.empty.advice': 'error.plain.addressEmpty',
  'error.invalid-address.not-a-url.advice': 'error.plain.address',
  'error.invalid-address.command.advice': 'error.plain.address',
  'error.invalid-address.port.advice': 'error.plain.addressPort',
  'error.invalid-address.ipv6.message': 'error.plain.addressKind',
  'error.invalid-address.ipv6.advice': 'error.plain.addressKindTry',
  'error.invalid-address.scheme-unclear.message': 'error.plain.addressKind',
  'error.invalid-address.scheme-unclear.advice': 'error.plain.addressKindTry',
  'error.invalid-address.not-http.message': 'error.plain.addressKind',
  'error.invalid-address.not-http.advice': 'error.plain.addressKindTry',
};

const plainly = (key: ParseKeys): ParseKeys => inPlainWords[key] ?? key;

const trials: Readonly<Record<DuringTrial, { situation: Situation; tried: Tried }>> = {
  'trial-csrf': { situation: 'server', tried: 'csrf' },
  'trial-register': { situation: 'register', tried: 'register' },
  'trial-login': { situation: 'login', tried: 'login' },
  'trial-profile': { situation: 'check', tried: 'profile' },
  'trial-refresh': { situation: 'check', tried: 'refresh' },
  'trial-logout': { situation: 'logout', tried: 'logout' },
};
const isOfTrial = (during: During): during is DuringTrial => Object.hasOwn(trials, during);

/** Names of the parts of an API description, as in its form. `part` is the call itself. */
const partNames = (tried: Tried): Record<string, string> => ({
  part: t(`interface.parts.of.${tried}`),
  fields: t(`interface.parts.of.${tried === 'login' ? 'fields' : tried}`),
  address: t('interface.parts.of.address'),
  token: t('interface.parts.of.token'),
  sentAs: t('interface.parts.of.sentAs'),
  headers: t('interface.parts.of.headers'),
});

/** Texts for a trial, which name the part of the description to change instead of the server's operator. */
const inTrial: Partial<Record<ParseKeys, ParseKeys>> = {
  'error.refused.advice': 'error.trial.unreached',
  'error.no-route.advice': 'error.trial.unknownHost',
  'error.dns.advice': 'error.trial.unknownHost',
  'error.tls.expired.advice': 'error.trial.tlsExpired',
  'error.tls.wrong-host.advice': 'error.trial.otherCertificate',
  'error.tls.untrusted.advice': 'error.trial.untrusted',
  'error.tls.handshake.advice': 'error.trial.port',
  'error.tls.not-tls.advice': 'error.trial.port',
  'error.tls.version.advice': 'error.trial.protocol',
  'error.tls.protocol.advice': 'error.trial.protocol',
  'error.tls.name.advice': 'error.trial.otherAddress',
  'error.proxy.refused.advice': 'error.trial.byProxy',
  'error.timeout.connect.advice': 'error.trial.later',
  'error.not-an-api-answer.html.advice': 'error.trial.path',
  'error.not-an-api-answer.protection-page.advice': 'error.trial.protection',
  'error.not-an-api-answer.redirect.message': 'error.trial.redirect.message',
  'error.not-an-api-answer.redirect.advice': 'error.trial.redirect.advice',
  'error.not-an-api-answer.redirect-to-https.advice': 'error.trial.https',
  'error.not-an-api-answer.redirect-slash.advice': 'error.trial.slash',
  'error.not-an-api-answer.redirect-to-login.advice': 'error.trial.loginPage',
  'error.not-an-api-answer.resource-limit.advice': 'error.trial.path',
  'error.not-an-api-answer.too-large.advice': 'error.trial.path',
  'error.not-an-api-answer.not-json.advice': 'error.trial.path',
  'error.not-an-api-answer.broken-json.advice': 'error.trial.answer',
  'error.not-an-api-answer.truncated.advice': 'error.trial.answer',
  'error.not-an-api-answer.undecodable.advice': 'error.trial.answer',
  'error.broken-http.head-too-long.advice': 'error.trial.http',
  'error.broken-http.length.advice': 'error.trial.http',
  'error.broken-http.line-ends.advice': 'error.trial.http',
  'error.broken-http.chunks.advice': 'error.trial.http',
  'error.broken-http.other.advice': 'error.trial.http',
  'error.broken-http.http-2.advice': 'error.trial.protocol',
  'error.broken-http.not-http.advice': 'error.trial.port',
  'error.validation.message': 'error.trial.fields.message',
  'error.validation.advice': 'error.trial.fields.advice',
  'error.unauthenticated.login.message': 'error.trial.account.message',
  'error.unauthenticated.login.advice': 'error.trial.account.advice',
  'error.unauthenticated.session.advice': 'error.trial.loginPage',
  'error.server-fault.advice': 'error.trial.fault',
  'error.server-fault-email.advice': 'error.trial.taken',
  'error.server-fault-name.advice': 'error.trial.taken',
  'error.server-fault-something.advice': 'error.trial.taken',
  'error.session-in-cookie.advice': 'error.trial.cookie',
  'error.session-in-cookie-unknown.advice': 'error.trial.cookie',
  'error.unexpected.no-token.advice': 'error.trial.token',
  'error.unexpected.registration-closed.advice': 'error.trial.existing',
  'error.unexpected.already-there.advice': 'error.trial.taken',
  'error.unexpected.fresh-token-refused.advice': 'error.trial.refused',
  'error.unexpected.other-scheme-wanted.advice': 'error.trial.scheme',
  'error.unexpected.operation-missing.advice': 'error.trial.missing',
  'error.unexpected.login-not-found.advice': 'error.trial.missing',
  'error.unexpected.logout-missing.message': 'error.unexpected.operation-missing.message',
  'error.unexpected.logout-missing.advice': 'error.trial.missing',
  'error.unexpected.account-gone.advice': 'error.trial.path',
  'error.unexpected.refresh-token-wanted.message': 'error.trial.refreshWanted.message',
  'error.unexpected.refresh-token-wanted.advice': 'error.trial.refreshWanted.advice',
  'error.unexpected.connection-lost.advice': 'error.trial.later',
  'error.unexpected.other.advice': 'error.trial.other',
  'error.unexpected.empty.advice': 'error.trial.path',
  'error.unexpected.unsendable.advice': 'error.trial.unsendable',
  'error.unexpected.token-unsendable.advice': 'error.trial.noToken',
};

/** Texts that differ between the calls of a trial. */
const inTrialOf: Partial<Record<Tried, Partial<Record<ParseKeys, ParseKeys>>>> = {
  login: {
    'error.not-an-api-answer.redirect.advice': 'error.trial.redirect.login',
    'error.not-an-api-answer.redirect-to-login.advice': 'error.trial.account.advice',
    'error.unexpected.empty.advice': 'error.trial.token',
  },
  refresh: {
    'error.unauthenticated.session.message': 'error.trial.renewal.message',
    'error.unauthenticated.session.advice': 'error.trial.renewal.advice',
    'error.unexpected.no-token.advice': 'error.trial.renewal.advice',
  },
};

/** The advice has no plain variant, because the names of the parts are technical terms themselves. */
function ofTrial(tried: Tried, [message, advice]: Keys, plain: boolean): Keys {
  const own = (key: ParseKeys): ParseKeys | undefined => inTrialOf[tried]?.[key] ?? inTrial[key];
  return [own(message) ?? (plain ? plainly(message) : message), own(advice) ?? advice];
}

/** Takes `kind` apart from the error, so that TypeScript narrows the type of the error by it. */
const keysFor = <K extends Kind>(kind: K, error: ErrorOf[K], during: Situation): Keys => keys[kind](error, during);

/** Values for the placeholders of an error's texts. */
function valuesOf(error: AppError, plain: boolean): object {
  const seconds =
    'seconds' in error ? error.seconds : 'retryAfterSeconds' in error ? error.retryAfterSeconds : undefined;
  const address = (text: string): string => plainAddress(text, plain);
  return {
    ...error,
    ...('baseUrl' in error && { baseUrl: address(error.baseUrl) }),
    ...('address' in error && { address: address(error.address) }),
    ...('fits' in error && { fitting: error.fits.join(', ') }),
    time: seconds === undefined ? '' : formatDuration(seconds),
  };
}

/** What helps to find the cause of an error. Kinds without an entry have nothing beyond their texts. */
const details: { [K in Kind]?: (error: ErrorOf[K]) => readonly (string | undefined)[] } = {
  refused: ({ addresses }) => addresses,
  'no-route': ({ addresses }) => addresses,
  'blocked-here': ({ code, addresses }) => [code, ...addresses],
  tls: ({ code, certificate }) => [code, certificateText(certificate)],
  proxy: ({ status, code, certificate }) => [statusText(status), code, certificateText(certificate)],
  'connection-settings': ({ file }) => [file],
  'server-fault': ({ duplicate, status, message }) => (duplicate ? [statusText(status), message] : []),
  'not-an-api-answer': ({ status, detail }) => [statusText(status), detail],
  'broken-http': ({ status, code }) => [statusText(status), code],
  unexpected: ({ reason, status, code }) => (reason === 'empty' ? [] : [statusText(status), code]),
  'built-in-stopped': ({ message }) => [message],
  'mock-stopped': ({ message }) => [message],
  'import-refused': ({ detail }) => [detail],
  'invalid-interface': ({ faults }) =>
    faults.map(({ problem, at: place, name }) => [problem, place, name].filter(Boolean).join(' ')),
  'file-failed': ({ code }) => [code],
};

/** Joins the details that the message does not contain already. */
const detailFor = <K extends Kind>(kind: K, error: ErrorOf[K], message: string): string | undefined =>
  details[kind]?.(error)
    .filter((detail) => detail !== undefined && detail !== '' && !message.includes(detail))
    .join(', ');

const statusText = (status: number | undefined): string | undefined =>
  status === undefined ? undefined : `HTTP ${status}`;

/** Enough to identify the certificate. The dialog that offers to trust it shows the rest. */
const certificateText = (certificate: CertificateDetails | undefined): string | undefined =>
  certificate && `${certificate.subject}, SHA-256 ${certificate.sha256}`;

/** Without the scheme in the simple mode. */
const plainAddress = (address: string, isSimple: boolean): string =>
  isSimple ? address.replace(/^https?:\/\//, '') : address;
