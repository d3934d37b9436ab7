import type { RecordedCall, RedactedBody } from '../../preload/contract/calls.ts';
import type { Understanding } from '../../preload/contract/models.ts';
import { understand } from '../client/answer.ts';
import { operations } from '../client/base-url.ts';
import { hideIn } from '../secrets/hide.ts';
import { appErrorOfFailure } from '../client/map-error.ts';
import type { Answer, Understood } from '../client/read-answer.ts';
import type { Call, Unread } from '../client/call.ts';
import { understandingOf } from '../client/understanding.ts';
import type { Covered } from './covered-bodies.ts';
import { keptPath } from './kept-body.ts';
import { keptCall } from './kept-call.ts';
import type { SecretReferences } from '../secrets/secret-references.ts';

type Redacted = Pick<RecordedCall, 'request' | 'response'>;

/**
 * Makes a call as it is kept, without its secrets and with what was understood of it, and what is shown of it besides.
 * @param paths the places that a person pinned, for an answer that nobody has read yet
 */
export function recordedCall(
  serverId: string,
  call: Call,
  references: SecretReferences,
  paths?: Answer['paths'],
): { recorded: RecordedCall; covered: Covered } {
  const { id, startedAt, failure, timings, remote, proxy, security, reusedConnection } = call;
  const understood = understoodOf(call, paths);
  const token = understood?.reading.meaning.token;
  const { kept, covered } = keptCall(call, references, token);
  const { hide } = references;
  const recorded: RecordedCall = {
    id,
    serverId,
    startedAt,
    ...withUnread(kept, call),
    ...(failure && { failure: hideIn(appErrorOfFailure(failure), hide) }),
    timings,
    ...(remote !== undefined && { remote }),
    ...(proxy !== undefined && { proxy }),
    ...(security && { security }),
    reusedConnection,
    ...(understood && { understood: keptUnderstanding(understood, hide) }),
  };
  return { recorded, covered };
}

/** Returns what was understood of an answer, with the names of the answer that are kept. */
function keptUnderstanding({ operation, reading }: Understood, hide: (text: string) => string): Understanding {
  const understanding = hideIn(understandingOf(operation, reading, hide), hide);
  const found = understanding.found.map(({ what, path, rule }) => ({ what, path: keptPath(path), rule }));
  return { ...understanding, found };
}

/** Puts sizes in the place of what was too hard to read, and the hash of what came back: that of what we sent tells. */
function withUnread({ request, response }: Redacted, call: Call): Redacted {
  const bodyOf = ({ bytes, sha256 }: Unread): RedactedBody => ({ form: 'described', sha256, bytes });
  const [sent, answered] = [call.request.unread, call.response?.unread];
  return {
    request: { ...request, ...(sent && { body: { form: 'described', bytes: sent.bytes } }) },
    ...(response && { response: { ...response, ...(answered && { body: bodyOf(answered) }) } }),
  };
}

/** Returns what the sender understood, if it took the answer for one to the operation that the path names. */
function understoodOf(
  { request, response, failure, understood }: Call,
  paths: Answer['paths'],
): Understood | undefined {
  const operation = operations.find((each) => pathOf(request.url).endsWith(`/${each}`));
  if (operation === undefined || !response || failure) return undefined;
  return understood?.operation === operation ? understood : understand(operation, response, request.url, paths);
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname.replace(/\/$/, '') : '';
}
