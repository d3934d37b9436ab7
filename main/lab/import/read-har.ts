import type { PlainJson } from '../../interface/template.ts';
import { at, listAt, pairsOf, seenRequest, textAt, type SeenAnswer, type SeenRequest } from './seen-request.ts';

/** Reads the requests of an archive (HAR 1.2), with the answers that they got. */
export function readHar(json: PlainJson): SeenRequest[] {
  return listAt(json, 'log', 'entries').flatMap((entry) => {
    const url = textAt(entry, 'request', 'url');
    if (url === undefined) return [];
    // Browsers write the fields of a form beside its text, and some tools in its place.
    const text = textAt(entry, 'request', 'postData', 'text');
    const fields = pairsOf(listAt(entry, 'request', 'postData', 'params'));
    const isWritten = text !== undefined && text !== '';
    return [
      seenRequest({
        method: textAt(entry, 'request', 'method'),
        url,
        headers: pairsOf(listAt(entry, 'request', 'headers')).filter(([name]) => !name.startsWith(':')),
        text,
        pairs: isWritten || fields.length === 0 ? undefined : fields,
        answers: answersOf(at(entry, 'response')),
      }),
    ];
  });
}

function answersOf(response: PlainJson | undefined): SeenAnswer[] {
  const status = Number(textAt(response, 'status') ?? 0);
  if (!(status >= 100)) return [];
  const text = textAt(response, 'content', 'text') ?? '';
  const isPacked = textAt(response, 'content', 'encoding') === 'base64';
  const body = isPacked ? Buffer.from(text, 'base64').toString() : text;
  return [{ status, headers: pairsOf(listAt(response, 'headers')), body }];
}
