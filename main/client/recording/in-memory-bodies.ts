import type { RecordedCall, RedactedBody, RedactedText } from '../../../preload/contract/calls.ts';

/** What is shown of the bodies of a call in this run, where that is more than is kept. */
export type InMemoryBodies = { request?: RedactedText | undefined; response?: RedactedText | undefined };

/** Of all calls together: 32 MB, as JavaScript keeps two bytes a character at most. */
const mostCharacters = 16 * 1024 * 1024;

/** The texts of the last calls without their secrets, in memory only, until a lock, *Clear* or the end. */
export class InMemoryBodyStore {
  readonly #byId = new Map<string, InMemoryBodies>();
  #characters = 0;

  add(id: string, covered: InMemoryBodies): void {
    const size = sizeOf(covered);
    if (size === 0 || size > mostCharacters) return;
    this.#byId.set(id, covered);
    this.#characters += size;
    for (const [oldest, each] of this.#byId) {
      if (this.#characters <= mostCharacters) return;
      this.#byId.delete(oldest);
      this.#characters -= sizeOf(each);
    }
  }

  /** Returns a call as it is shown: with the texts that are still in memory, or that the person keeps. */
  withBodies(call: RecordedCall): RecordedCall {
    const covered = this.#byId.get(call.id);
    const { request, response } = call;
    return {
      ...call,
      request: { ...request, body: request.body && shown(request.body, covered?.request) },
      response: response && { ...response, body: shown(response.body, covered?.response) },
    };
  }

  /** Returns a call with the text of its answer in what is kept; undefined where that is not in memory. */
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

function shown(body: RedactedBody, text: RedactedText | undefined): RedactedBody {
  const { bytes } = body;
  if (body.form === 'described' && body.text) return { form: 'text', text: body.text, bytes };
  return text ? { form: 'text', text, bytes, isInMemory: true } : body;
}

const sizeOf = ({ request = [], response = [] }: InMemoryBodies): number =>
  [...request, ...response].reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 1), 0);
