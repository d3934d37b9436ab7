import type { TFunction } from 'i18next';
import type { CertificateDetails } from '../preload/contract/connection.ts';
import type { AppError } from '../preload/contract/result.ts';

/** What was being done when the error came; some kinds mean another thing then. */
export type During = 'login' | 'register' | 'check' | 'logout' | 'server';

/** An error in words. All texts are plain: `serverSays` and `detail` come from outside and are never HTML. */
export interface SaidError {
  /** What happened, one sentence. */
  says: string;
  /** What to try. */
  advice: string;
  /** The server's own message, shortened. */
  serverSays?: string;
  /** A code, a page title or the addresses tried: for whoever helps. */
  detail?: string;
}

const longestOutsideText = 400;

/** One line of at most 400 characters, so that a server's text cannot push the form off the screen. */
export function shorten(text: string): string {
  const oneLine = text.replaceAll(/\s+/g, ' ').trim();
  // By code points: cutting a surrogate pair in half would show a replacement character.
  const characters = Array.from(oneLine);
  return characters.length > longestOutsideText ? `${characters.slice(0, longestOutsideText).join('')}…` : oneLine;
}

/** A duration in words of the language, such as "2 minutes, 5 seconds"; rounded up to whole seconds. */
export function sayDuration(seconds: number, language: string): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const parts: [number, 'hour' | 'minute' | 'second'][] = [
    [Math.floor(whole / 3600), 'hour'],
    [Math.floor((whole % 3600) / 60), 'minute'],
    [whole % 60, 'second'],
  ];
  const shown = parts.filter(([amount, unit]) => amount > 0 || (unit === 'second' && whole === 0));
  const words = shown.map(([amount, unit]) =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(amount),
  );
  return new Intl.ListFormat(language, { style: 'short', type: 'unit' }).format(words);
}

/** Every error that the contract knows as sentences in the language of `t`. */
export function sayError(error: AppError, during: During, t: TFunction, language: string): SaidError {
  const said = sentences(error, during, t, language);
  const message = 'message' in error && error.kind !== 'built-in-stopped' ? error.message?.trim() : undefined;
  const detail = detailOf(error);
  const more = during === 'register' ? moreOnRegistering(error, t) : undefined;
  return {
    says: said.says,
    advice: more === undefined ? said.advice : `${said.advice} ${more}`,
    ...(message ? { serverSays: shorten(message) } : {}),
    ...(detail ? { detail: shorten(detail) } : {}),
  };
}

function moreOnRegistering(error: AppError, t: TFunction): string | undefined {
  if (mayHaveArrived(error)) return t('error.perhapsRegistered');
  return error.kind === 'unexpected' && error.reason === 'operation-missing' ? t('error.otherPath') : undefined;
}

/** Whether a request may have reached the server although no answer was read. */
function mayHaveArrived(error: AppError): boolean {
  return (
    error.kind === 'cancelled' ||
    (error.kind === 'timeout' && error.phase !== 'connect') ||
    (error.kind === 'not-an-api-answer' && error.reason === 'truncated') ||
    (error.kind === 'unexpected' && error.reason === 'connection-lost')
  );
}

function sentences(error: AppError, during: During, t: TFunction, language: string): { says: string; advice: string } {
  switch (error.kind) {
    case 'offline':
    case 'cancelled':
    case 'validation':
    case 'built-in-stopped':
    case 'invalid-fault':
    case 'not-seeded':
    case 'token-unreadable':
    case 'locked':
    case 'not-now':
      return { says: t(`error.${error.kind}.says`), advice: t(`error.${error.kind}.try`) };
    case 'tls':
      return {
        says: t(`error.tls.${error.problem}.says`, { host: error.host }),
        advice: t(`error.tls.${error.problem}.try`),
      };
    case 'proxy':
      return {
        says: t(`error.proxy.${error.problem}.says`, { proxy: error.proxy }),
        advice: t(`error.proxy.${error.problem}.try`),
      };
    case 'connection-settings':
      return {
        says: t(`error.connection-settings.${error.problem}.says`),
        advice: t(`error.connection-settings.${error.problem}.try`),
      };
    case 'refused':
    case 'no-route':
    case 'blocked-here':
    case 'dns':
    case 'name-server':
      return { says: t(`error.${error.kind}.says`, { host: error.host }), advice: t(`error.${error.kind}.try`) };
    case 'timeout':
      return {
        says: t(`error.timeout.${error.phase}.says`, { time: sayDuration(error.seconds, language) }),
        advice: t(`error.timeout.${error.phase}.try`),
      };
    case 'not-an-api-answer':
      return {
        says: t(`error.not-an-api-answer.${error.reason}.says`),
        advice: t(`error.not-an-api-answer.${error.reason}.try`),
      };
    case 'unauthenticated': {
      const what = during === 'login' || during === 'register' ? 'login' : 'session';
      return { says: t(`error.unauthenticated.${what}.says`), advice: t(`error.unauthenticated.${what}.try`) };
    }
    case 'throttled':
      return {
        says: t('error.throttled.says'),
        advice:
          error.retryAfterSeconds === undefined
            ? t('error.throttled.tryNoNumber')
            : t('error.throttled.try', { time: sayDuration(error.retryAfterSeconds, language) }),
      };
    case 'server-fault':
      return { says: t('error.server-fault.says', { status: error.status }), advice: t('error.server-fault.try') };
    case 'unexpected': {
      // The others can be had at another path or address; a session can be ended only where it is.
      const isLogout = during === 'logout' && error.reason === 'operation-missing';
      const what = isLogout ? 'logout-missing' : error.reason;
      return { says: t(`error.unexpected.${what}.says`), advice: t(`error.unexpected.${what}.try`) };
    }
    case 'invalid-address':
      return {
        says: t(`error.invalid-address.${error.problem}.says`),
        advice: t(`error.invalid-address.${error.problem}.try`),
      };
    case 'invalid-connection':
      return {
        says: t(`error.invalid-connection.${error.field}.says`),
        advice: t(`error.invalid-connection.${error.field}.try`),
      };
    case 'production-not-confirmed':
      return {
        says: t('error.production-not-confirmed.says', { host: error.host }),
        advice: t('error.production-not-confirmed.try'),
      };
    case 'wrong-host':
      return { says: t('error.wrong-host.says'), advice: t('error.wrong-host.try', { host: error.host }) };
    case 'other-address':
      return {
        says: t('error.other-address.says', { baseUrl: error.baseUrl }),
        advice: t('error.other-address.try'),
      };
    case 'import-refused':
      return { says: t(`error.import-refused.${error.reason}`), advice: t('error.import-refused.try') };
    case 'run-refused':
      return {
        says: t(`error.run-refused.${error.problem}.says`),
        advice: t(`error.run-refused.${error.problem}.try`),
      };
    case 'not-a-command':
      return {
        says: t(`error.not-a-command.${error.problem}.says`),
        advice: t(`error.not-a-command.${error.problem}.try`),
      };
    case 'not-replayable':
      return {
        says: t(`error.not-replayable.${error.problem}.says`),
        advice: t(`error.not-replayable.${error.problem}.try`),
      };
    case 'copy-failed':
      return { says: t(`error.copy-failed.${error.reason}.says`), advice: t(`error.copy-failed.${error.reason}.try`) };
    case 'database-unavailable':
      return {
        says: t(`error.database-unavailable.${error.reason}`),
        advice: t('error.database-unavailable.try'),
      };
    case 'demo-taken':
      return { says: t('error.demo-taken.says', { email: error.email }), advice: t('error.demo-taken.try') };
    case 'no-browser':
      return { says: t('error.no-browser.says'), advice: t('error.no-browser.try', { address: error.address }) };
    case 'file-failed':
      return { says: t('error.file-failed.says'), advice: t('error.file-failed.try') };
    case 'wrong-pin':
      return {
        says: t('error.wrong-pin.says'),
        advice: error.triesLeft > 0 ? t('error.wrong-pin.try', { number: error.triesLeft }) : t('error.wrong-pin.none'),
      };
    case 'bug':
      return { says: t('error.bug.says'), advice: t('error.bug.try', { id: error.id }) };
    default:
      return error satisfies never;
  }
}

function detailOf(error: AppError): string | undefined {
  switch (error.kind) {
    case 'refused':
    case 'no-route':
      return error.addresses.join(', ');
    case 'blocked-here':
      return [error.code, ...error.addresses].join(', ');
    case 'tls':
      return [error.code, certificateText(error.certificate)].filter(Boolean).join(', ');
    case 'proxy':
      return [
        error.status === undefined ? undefined : `HTTP ${error.status}`,
        error.code,
        certificateText(error.certificate),
      ]
        .filter(Boolean)
        .join(', ');
    case 'connection-settings':
      return error.file;
    case 'not-an-api-answer':
      return [`HTTP ${error.status}`, error.detail].filter(Boolean).join(', ');
    case 'unexpected':
      return [error.status === undefined ? undefined : `HTTP ${error.status}`, error.code].filter(Boolean).join(', ');
    case 'built-in-stopped':
      return error.message;
    case 'import-refused':
      return error.detail;
    case 'file-failed':
      return error.code;
    case 'production-not-confirmed':
    case 'wrong-host':
    case 'other-address':
    case 'offline':
    case 'dns':
    case 'name-server':
    case 'timeout':
    case 'cancelled':
    case 'validation':
    case 'unauthenticated':
    case 'throttled':
    case 'server-fault':
    case 'invalid-address':
    case 'invalid-connection':
    case 'not-a-command':
    case 'not-replayable':
    case 'run-refused':
    case 'token-unreadable':
    case 'locked':
    case 'wrong-pin':
    case 'invalid-fault':
    case 'copy-failed':
    case 'database-unavailable':
    case 'demo-taken':
    case 'not-seeded':
    case 'not-now':
    case 'no-browser':
    case 'bug':
      return undefined;
    default:
      return error satisfies never;
  }
}

/** Enough to find the certificate again; the dialogue that offers to trust it shows the rest. */
function certificateText(certificate: CertificateDetails | undefined): string | undefined {
  return certificate && `${certificate.subject}, SHA-256 ${certificate.sha256}`;
}
