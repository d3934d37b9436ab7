import type { RecordedCall, RedactedBody, RedactedText } from '../../../preload/contract/calls.ts';

/** Bodies shown in the UI only; not written to disk. */
export type InMemoryBodies = { request?: RedactedText | undefined; response?: RedactedText | undefined };

/** Of all calls together: at most 32 MB, with two bytes for each character. */
const maxCharacters = 16 * 1024 * 1024;

/** The redacted bodies of the last calls, until the application is locked, cleared or closed. */
export class InMemoryBodyStore {
  readonly #byId = new Map<string, InMemoryBodies>();
  #characters = 0;

  add(id: string, inMemory: InMemoryBodies): void {
    const size = sizeOf(inMemory);
    if (size === 0 || size > maxCharacters) return;
    this.#byId.set(id, inMemory);
    this.#characters += size;
    for (const [oldest, each] of this.#byId) {
      if (this.#characters <= maxCharacters) return;
      this.#byId.delete(oldest);
      this.#characters -= sizeOf(each);
    }
  }

  /** A call for display, with the bodies that are in memory or that the user stored. */
  withBodies(call: RecordedCall): RecordedCall {
    const inMemory = this.#byId.get(call.id);
    const { request, response } = call;
    return {
      ...call,
      request: { ...request, body: request.body && bodyWithText(request.body, inMemory?.request) },
      response: response && { ...response, body: bodyWithText(response.body, inMemory?.response) },
    };
  }

  /** A call with the text of its response, to be stored; undefined if that is not in memory. */
  withText(call: RecordedCall): RecordedCall | undefined {
    const text = this.#byId.get(call.id)?.response;
    const { response } = call;
    if (!text || response?.body.form !== 'described') return undefined;
    return { ...call, response: { ...response, body: { ...response.body, text } } };
  }

  clear(): void {
    this.#byId.clear();
    this.#characters = 0;
  }
}

function bodyWithText(body: RedactedBody, text: RedactedText | undefined): RedactedBody {
  const { bytes } = body;
  if (body.form === 'described' && body.text) return { form: 'text', text: body.text, bytes };
  return text ? { form: 'text', text, bytes, isInMemory: true } : body;
}

const sizeOf = ({ request = [], response = [] }: InMemoryBodies): number =>
  [...request, ...response].reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 1), 0);
