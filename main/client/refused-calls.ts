import type { TransportResponse } from './call.ts';
import { isGeneric } from './reading/sentences.ts';
import { asksForOtherScheme } from './reading/verdict.ts';
import { header, receivedHeaders } from './reading/headers.ts';
import type { Interpretation } from './parse-response.ts';
import { readResponseTexts, mentionsTopic, type ResponseText } from './response-texts.ts';

/** A busy server examined no token. */
const isBusy = (status: number): boolean => status === 408 || status === 425 || status === 429;

const isRefusal = ({ status }: TransportResponse): boolean => status >= 400 && status < 500 && !isBusy(status);

/**
 * Whether a call was refused for its CSRF token, and so had no effect: by status 419 (Laravel), a 4xx that mentions it
 * (Django, Flask-WTF, Rails, Spring, csurf's EBADCSRFTOKEN), or a header (`X-CSRF-Token: Required`). `perhaps` is a
 * refusal without a message, as of Spring and ASP.NET.
 */
export function refusedForForgery(response: TransportResponse): 'surely' | 'perhaps' | undefined {
  const { status, body, rawHeaders } = response;
  if (!isRefusal(response)) return undefined;
  if (status === 419) return 'surely';
  const isInHead = rawHeaders.some(
    ([name, value]) => /csrf|xsrf/i.test(name) && /^(?:required|invalid|missing|expired)$/i.test(value.trim()),
  );
  const texts = readResponseTexts(body);
  if (isInHead || texts.some(mentionsCsrf)) return 'surely';
  const isWordless = body.trim() === '' || (status === 403 && texts.every(({ text }) => isUninformative(text)));
  return (status === 400 || status === 403) && isWordless ? 'perhaps' : undefined;
}

/** A CSRF token in a response is no message about one, and neither is a link. */
function mentionsCsrf({ name, text }: ResponseText): boolean {
  if (mentionsTopic('pageToken', text)) return !/^(?:https?:|\/)/i.test(text);
  return mentionsTopic('pageToken', name) && (/^(?:true|false)$/.test(text) || /\S\s+\S/.test(text));
}

/** Spring's default response has a time, a path, the status and its name. */
const isUninformative = (text: string): boolean =>
  isGeneric(text) || /^(?:\d+|true|false|\/\S*|[\d-]+T[\d:.+Z-]+)$/.test(text.replaceAll(' ', ''));

/**
 * True if the server itself refused to renew the session for good: 401, or another 4xx with such a code or message
 * (RFC 6749, 5.2: `invalid_grant`). False for an intermediary, a page, an error of the client or the request, and a busy or
 * faulty server.
 */
export function refusesRenewal(
  response: TransportResponse,
  { trace, verdict }: Pick<Interpretation, 'trace' | 'verdict'>,
): boolean {
  const { status, body, rawHeaders } = response;
  const isSuccess = status >= 200 && status < 300;
  if (trace.inBetween !== undefined || (!isSuccess && !isRefusal(response)) || verdict === 'ok') return false;
  if (trace.body.form === 'html' || trace.body.form === 'broken-json') return false;
  if (refusedForForgery(response) === 'surely') return false;
  const challenge = header(receivedHeaders(rawHeaders), 'www-authenticate');
  const texts = readResponseTexts(body).map(({ text }) => text);
  if (asksForOtherScheme({ challenge }) || texts.some((text) => mentionsTopic('notOfToken', text))) return false;
  return status === 401 || texts.some((text) => mentionsTopic('renewalRefused', text));
}
