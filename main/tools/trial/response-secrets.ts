import type { TransportResponse } from '../../client/call.ts';
import { parseJson, type PlainJson } from '../../interface/template.ts';
import type { TrialStep } from './step-response.ts';

/** In characters. A shorter one is no token, and would hide words of a sentence. */
const shortest = 8;
const mostValues = 200;

/**
 * The values of an answer that may let somebody in: those of its cookies, and, of an answer that gives a session, every
 * word of its body and its headers, since the description that is tried may not know which of them is the token.
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
  const gives = name !== 'profile' && name !== 'logout' && status < 400;
  const json = gives ? parseJson(body) : undefined;
  const words = gives ? [...textsIn(json === undefined ? body : json), ...givenHeaders(rawHeaders)] : [];
  return [...cookies, ...words.map((word) => word.replace(/^\w+\s+/, '').trim())].filter(
    (each) => each.length >= shortest && !/\s|@/.test(each),
  );
}

function givenHeaders(rawHeaders: TransportResponse['rawHeaders']): string[] {
  return rawHeaders.flatMap(([name, value]) => (/auth|token|jwt|session|access/i.test(name) ? [value] : []));
}

function textsIn(json: PlainJson): string[] {
  const found: string[] = [];
  const waiting: PlainJson[] = [json];
  for (const each of waiting) {
    if (found.length >= mostValues || waiting.length > 10_000) break;
    if (typeof each === 'string') found.push(each);
    else if (each !== null && typeof each === 'object') waiting.push(...Object.values(each));
  }
  return found;
}
