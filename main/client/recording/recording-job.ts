import type { RecordedCall, RedactedBody, RedactedText, SecretReference } from '../../../preload/contract/calls.ts';
import { textWorker, longText, type Job } from '../text-worker.ts';
import { withoutResponse, type TransportCall } from '../call.ts';
import type { ReceivedResponse } from '../parse-response.ts';
import type { InMemoryBodies } from './in-memory-bodies.ts';
import { recordedCall } from './recorded-call.ts';
import { SecretRegistry } from '../secrets/secret-registry.ts';

/** A secret with the reference that stands for it. */
type Known = { value: string; reference: SecretReference };

type Recorded = { recorded: RecordedCall; covered: InMemoryBodies };

type Input = { serverId: string; call: TransportCall; paths: ReceivedResponse['paths']; known: readonly Known[] };

/** `learned` has the secrets that were not known before. Those that `isWatched` are looked for from now on. */
type Output = Recorded & { learned: (Known & { isWatched: boolean })[] };

/** Records a call on the other thread, where only the secrets are known that come with it. */
export const recordingJob: Job<Input, Output> = {
  name: 'recording',
  work({ serverId, call, paths, known }) {
    const secretRegistry = new SecretRegistry();
    for (const { value, reference } of known) secretRegistry.bindToSession(value, reference.id);
    const { recorded, covered } = recordedCall(serverId, call, secretRegistry, paths);
    const found: SecretReference[] = [];
    withReferences({ recorded, covered }, (reference) => {
      found.push(reference);
      return reference;
    });
    const before = new Set(known.map(({ reference }) => reference.id));
    const learned = new Map(found.filter(({ id }) => !before.has(id)).map((reference) => [reference.id, reference]));
    return {
      recorded,
      covered,
      learned: [...learned.values()].flatMap((reference) => {
        const value = secretRegistry.valueOf(reference.id);
        return value === undefined ? [] : [{ value, reference, isWatched: secretRegistry.isRegistered(value) }];
      }),
    };
  },
};

/** Whether a call has texts that are not to be read where it is. */
export const isLong = ({ request, response }: TransportCall): boolean =>
  [request.head.text, request.body, response?.body, response?.bodyBytes].some((text) => (text?.length ?? 0) > longText);

/**
 * A call as {@link recordedCall} makes it, on the other thread if it is long. One that fills the memory is kept without
 * what was sent and answered.
 * @param signal ends the work; such a call counts as one that filled the memory
 */
export async function recordOnWorker(
  serverId: string,
  call: TransportCall,
  secretRegistry: SecretRegistry,
  paths: ReceivedResponse['paths'],
  signal?: AbortSignal,
): Promise<Recorded> {
  if (!isLong(call)) return recordedCall(serverId, call, secretRegistry, paths);
  const known = secretRegistry.registered();
  const done = await textWorker.run(recordingJob, { serverId, call: withoutCopies(call), paths, known }, signal);
  if (!done) return recordedCall(serverId, withoutTexts(call), secretRegistry, paths);
  const { recorded, covered, learned } = done;
  const ours = new Map(known.map(({ reference }) => [reference.id, reference]));
  for (const { value, reference, isWatched } of learned) {
    const { secret } = reference;
    ours.set(
      reference.id,
      isWatched ? secretRegistry.register(value, secret, 'received') : secretRegistry.referenceFor(value, secret),
    );
  }
  return withReferences({ recorded, covered }, (reference) => ours.get(reference.id) ?? reference);
}

/** A call without its answer. Of what was sent, the method and the origin are left if it is long, too. */
function withoutTexts(call: TransportCall): TransportCall {
  if (!isLong({ ...call, response: undefined })) return withoutResponse(call);
  const { method, url, head } = call.request;
  const origin = URL.canParse(url) ? `${new URL(url).origin}/` : '';
  return withoutResponse({ ...call, request: { method, url: origin, headers: [], head: { ...head, text: '' } } });
}

/** Drops the copies of the body. What is read of an answer was read from them, and they are not needed any more. */
function withoutCopies(call: TransportCall): TransportCall {
  const { interpreted } = call;
  return interpreted
    ? { ...call, interpreted: { ...interpreted, response: { ...interpreted.response, body: '' } } }
    : call;
}

/** Returns a recorded call with other references. */
function withReferences(
  { recorded: call, covered }: Recorded,
  change: (reference: SecretReference) => SecretReference,
): Recorded {
  const textOf = (text: RedactedText): RedactedText =>
    text.map((part) => (typeof part === 'string' ? part : change(part)));
  const bodyOf = (body: RedactedBody): RedactedBody =>
    body.form === 'text'
      ? { ...body, text: textOf(body.text) }
      : { ...body, ...(body.title && { title: textOf(body.title) }) };
  const { request, response } = call;
  const recorded: RecordedCall = {
    ...call,
    request: {
      ...request,
      url: textOf(request.url),
      head: { ...request.head, text: textOf(request.head.text) },
      ...(request.body && { body: bodyOf(request.body) }),
    },
    ...(response && {
      response: {
        ...response,
        headers: response.headers.map(([name, value]) => [name, textOf(value)]),
        body: bodyOf(response.body),
      },
    }),
  };
  return {
    recorded,
    covered: {
      request: covered.request && textOf(covered.request),
      response: covered.response && textOf(covered.response),
    },
  };
}
