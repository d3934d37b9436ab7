import type { RecordedCall } from '../../preload/contract/calls.ts';
import { operations } from '../client/base-url.ts';
import { hideIn } from '../client/hide-secrets.ts';
import { appErrorOfFailure } from '../client/map-error.ts';
import { readAnswer, type Answer } from '../client/read-answer.ts';
import { receivedHeaders } from '../client/reading/headers.ts';
import type { Call } from '../client/transport.ts';
import { understandingOf } from '../client/understanding.ts';
import { redactCall } from './redact.ts';
import type { SecretReferences } from './secret-references.ts';

/** A call as it is kept: without its secrets, and with what was understood of it. `paths` are pinned places. */
export function recordedCall(
  serverId: string,
  call: Call,
  references: SecretReferences,
  paths?: Answer['paths'],
): RecordedCall {
  const { id, startedAt, request, response, failure, timings, remote, proxy, security, reusedConnection } = call;
  const operation = operations.find((each) => pathOf(request.url).endsWith(`/${each}`));
  const answer = response && {
    status: response.status,
    headers: receivedHeaders(response.rawHeaders),
    body: response.body,
    url: request.url,
    ...(paths && { paths }),
  };
  const reading = operation && answer && !failure ? readAnswer(operation, answer) : undefined;
  const redacted = redactCall(call, references, reading?.meaning.token);
  const { hide } = references;
  return {
    id,
    serverId,
    startedAt,
    ...redacted,
    ...(failure && { failure: hideIn(appErrorOfFailure(failure), hide) }),
    timings,
    ...(remote !== undefined && { remote }),
    ...(proxy !== undefined && { proxy }),
    ...(security && { security }),
    reusedConnection,
    ...(operation && reading && { understood: hideIn(understandingOf(operation, reading), hide) }),
  };
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname.replace(/\/$/, '') : '';
}
