import type { RecordedCall, RedactedBody, RedactedText, SecretReference } from '../../../preload/contract/calls.ts';
import { textWorker, longText, type Job } from '../text-worker.ts';
import { withoutResponse, type TransportCall } from '../call.ts';
import type { ReceivedResponse } from '../parse-response.ts';
import type { InMemoryBodies } from './in-memory-bodies.ts';
import { recordedCall } from './recorded-call.ts';
import { SecretRegistry } from '../secrets/secret-registry.ts';

type KnownSecret = { value: string; reference: SecretReference };

type Recorded = { recorded: RecordedCall; inMemory: InMemoryBodies };

type Input = { serverId: string; call: TransportCall; paths: ReceivedResponse['paths']; known: readonly KnownSecret[] };

/** `learned` are new secrets; those with `isRegistered` are searched for from now on. */
type Output = Recorded & { learned: (KnownSecret & { isRegistered: boolean })[] };

/** Records a call on the worker thread, which has only the secrets of its input. */
export const recordingJob: Job<Input, Output> = {
  name: 'recording',
  work({ serverId, call, paths, known }) {
    const secretRegistry = new SecretRegistry();
    for (const { value, reference } of known) secretRegistry.bindToSession(value, reference.id);
    const { recorded, inMemory } = recordedCall(serverId, call, secretRegistry, paths);
    const found: SecretReference[] = [];
    withReferences({ recorded, inMemory }, (reference) => {
      found.push(reference);
      return reference;
    });
    const before = new Set(known.map(({ reference }) => reference.id));
    const learned = new Map(found.filter(({ id }) => !before.has(id)).map((reference) => [reference.id, reference]));
    return {
      recorded,
      inMemory,
      learned: [...learned.values()].flatMap((reference) => {
        const value = secretRegistry.valueOf(reference.id);
        return value === undefined ? [] : [{ value, reference, isRegistered: secretRegistry.isRegistered(value) }];
      }),
    };
  },
};

/** True if a call is recorded on the worker thread. */
export const isLong = ({ request, response }: TransportCall): boolean =>
  [request.head.text, request.body, response?.body, response?.bodyBytes].some((text) => (text?.length ?? 0) > longText);

/**
 * Like {@link recordedCall}, on the worker thread if the call is long. A call that exceeds its memory is recorded without
 * its request and response.
 * @param signal aborts; the call then counts as one that exceeded the memory
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
  const { recorded, inMemory, learned } = done;
  const ours = new Map(known.map(({ reference }) => [reference.id, reference]));
  for (const { value, reference, isRegistered } of learned) {
    const { secret } = reference;
    ours.set(
      reference.id,
      isRegistered ? secretRegistry.register(value, secret, 'received') : secretRegistry.referenceFor(value, secret),
    );
  }
  return withReferences({ recorded, inMemory }, (reference) => ours.get(reference.id) ?? reference);
}

/** A call without its response; of a long request, too, only the method and the origin. */
function withoutTexts(call: TransportCall): TransportCall {
  if (!isLong({ ...call, response: undefined })) return withoutResponse(call);
  const { method, url, head } = call.request;
  const origin = URL.canParse(url) ? `${new URL(url).origin}/` : '';
  return withoutResponse({ ...call, request: { method, url: origin, headers: [], head: { ...head, text: '' } } });
}

/** Drops the copy of the body that was interpreted, so that it is not copied to the worker. */
function withoutCopies(call: TransportCall): TransportCall {
  const { interpreted } = call;
  return interpreted
    ? { ...call, interpreted: { ...interpreted, response: { ...interpreted.response, body: '' } } }
    : call;
}

/** A recorded call with its references replaced. */
function withReferences(
  { recorded: call, inMemory }: Recorded,
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
    inMemory: {
      request: inMemory.request && textOf(inMemory.request),
      response: inMemory.response && textOf(inMemory.response),
    },
  };
}
