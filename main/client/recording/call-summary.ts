import type { CallSummary, RecordedCall, RedactedText } from '../../../preload/contract/calls.ts';

/** A list entry of a call that is not pinned. */
export function summaryOf(call: RecordedCall): CallSummary {
  const url = plainText(call.request.url);
  const [, host = '', path = ''] = /^[a-z]+:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  return {
    id: call.id,
    serverId: call.serverId,
    startedAt: call.startedAt,
    method: call.request.method,
    host,
    path,
    status: call.response?.status,
    failure: call.failure?.kind,
    totalMs: call.timings.totalMs,
    responseBytes: call.response?.body.bytes ?? 0,
    pinned: false,
    replayOf: call.replayOf,
    contractRun: call.contractRun,
  };
}

export const normalizeForSearch = (text: string): string => text.toLowerCase();

/** The text for searches, without secrets, with the beginnings of long bodies. */
export function searchedOf({ request, response, failure }: RecordedCall): string {
  const bodyOf = (body: typeof request.body): string =>
    plainText((body?.form === 'text' ? body.text : body?.title) ?? []).slice(0, 20_000);
  const texts = [
    plainText(request.url),
    plainText(request.head.text),
    bodyOf(request.body),
    ...(response ? [String(response.status)] : []),
    ...(response?.headers ?? []).map(([name, value]) => `${name}: ${plainText(value)}`),
    bodyOf(response?.body),
    failure?.kind ?? '',
  ];
  return normalizeForSearch(texts.join('\n'));
}

function plainText(text: RedactedText): string {
  return text.map((part) => (typeof part === 'string' ? part : '•••')).join('');
}
