import type { TransportResponse } from './call.ts';
import { isGeneric } from './reading/sentences.ts';
import { asksForOtherScheme } from './reading/verdict.ts';
import { header, receivedHeaders } from './reading/headers.ts';
import type { Interpretation } from './parse-response.ts';
import { readResponseTexts, mentionsTopic, type ResponseText } from './response-texts.ts';

/** A server that is busy has looked at no token. */
const isBusy = (status: number): boolean => status === 408 || status === 425 || status === 429;

const isRefusal = ({ status }: TransportResponse): boolean => status >= 400 && status < 500 && !isBusy(status);

/**
 * Whether a call was refused for its token against forged requests, by status 419 (Laravel), a 4xx that speaks of it
 * (Django, Flask-WTF, Rails, Spring, csurf's EBADCSRFTOKEN), or a header (`X-CSRF-Token: Required`). Nothing was done
 * then. `perhaps` is a refusal without a word: Spring and ASP.NET answer so.
 */
export function refusedForForgery(response: TransportResponse): 'surely' | 'perhaps' | undefined {
  const { status, body, rawHeaders } = response;
  if (!isRefusal(response)) return undefined;
  if (status === 419) return 'surely';
  const isInHead = rawHeaders.some(
    ([name, value]) => /csrf|xsrf/i.test(name) && /^(?:required|invalid|missing|expired)$/i.test(value.trim()),
  );
  const said = readResponseTexts(body);
  if (isInHead || said.some(speaksOfForgery)) return 'surely';
  const isWordless = body.trim() === '' || (status === 403 && said.every(({ text }) => saysNothing(text)));
  return (status === 400 || status === 403) && isWordless ? 'perhaps' : undefined;
}

/** A token that an answer gives is no word about one, and neither is a link. */
function speaksOfForgery({ name, text }: ResponseText): boolean {
  if (mentionsTopic('pageToken', text)) return !/^(?:https?:|\/)/i.test(text);
  return mentionsTopic('pageToken', name) && (/^(?:true|false)$/.test(text) || /\S\s+\S/.test(text));
}

/** Spring's own answer has a time, a path, the status and its name. */
const saysNothing = (text: string): boolean =>
  isGeneric(text) || /^(?:\d+|true|false|\/\S*|[\d-]+T[\d:.+Z-]+)$/.test(text.replaceAll(' ', ''));

/**
 * Whether a server itself said that it renews a session no more: 401, or another 4xx that says so in its codes or words
 * (RFC 6749, 5.2: `invalid_grant`). Not so what something in between says, a page, an error about the client or the
 * request, and a server that is busy or at fault.
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
  const said = readResponseTexts(body).map(({ text }) => text);
  if (asksForOtherScheme({ challenge }) || said.some((text) => mentionsTopic('notOfToken', text))) return false;
  return status === 401 || said.some((text) => mentionsTopic('renewalRefused', text));
}
