import type { TransportResponse } from '../../client/call.ts';
import { parseJson, type PlainJson } from '../../interface/template.ts';
import type { TrialStep } from './step-response.ts';

/** In characters. A shorter text is no token, and redacting it would hide words of sentences. */
const minLength = 8;
const maxValues = 200;

/**
 * Values of a response that may be credentials: its cookies and, if it may begin a session, every word of its body and
 * its headers, since the description under trial may not know which of them is the token.
 */
export function findResponseSecrets(
  name: TrialStep['name'],
  { rawHeaders, body, status }: Pick<TransportResponse, 'rawHeaders' | 'body' | 'status'>,
): string[] {
  const cookies = rawHeaders.flatMap(([header, text]) =>
    header.toLowerCase() === 'set-cookie'
      ? [
          text
            .split(';', 1)[0]!
            .replace(/^[^=]*=/, '')
            .trim(),
        ]
      : [],
  );
  const mayBeginSession = name !== 'profile' && name !== 'logout' && status < 400;
  const json = mayBeginSession ? parseJson(body) : undefined;
  const words = mayBeginSession ? [...textsIn(json === undefined ? body : json), ...tokenHeaders(rawHeaders)] : [];
  return [...cookies, ...words.map((word) => word.replace(/^\w+\s+/, '').trim())].filter(
    (each) => each.length >= minLength && !/\s|@/.test(each),
  );
}

function tokenHeaders(rawHeaders: TransportResponse['rawHeaders']): string[] {
  return rawHeaders.flatMap(([name, value]) => (/auth|token|jwt|session|access/i.test(name) ? [value] : []));
}

function textsIn(json: PlainJson): string[] {
  const texts: string[] = [];
  const queue: PlainJson[] = [json];
  for (const each of queue) {
    if (texts.length >= maxValues || queue.length > 10_000) break;
    if (typeof each === 'string') texts.push(each);
    else if (each !== null && typeof each === 'object') queue.push(...Object.values(each));
  }
  return texts;
}
