import type { InterfaceGuess } from '../../../preload/contract/connection.ts';
import type { TrialCall } from '../../../preload/contract/trial.ts';
import type { TransportCall, HeaderList } from '../../client/call.ts';
import type { ClientResult } from '../../client/client.ts';
import { allHeaders, receivedHeaders } from '../../client/reading/headers.ts';
import { readResponseTexts, type ResponseText } from '../../client/response-texts.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import type { PlainJsonObject } from './description-change.ts';

/** One of the calls of a trial with all that went over the wire for it. */
export type TrialStep = {
  name: Exclude<TrialCall['call'], 'csrf'>;
  result: ClientResult;
  calls: readonly TransportCall[];
};

/** What the server said to the last request of a step. */
export type StepResponse = {
  step: TrialStep;
  /** Where the call stands in the description: `calls.login`, `calls.register.0`. */
  at: string;
  status: number;
  headers: ReadonlyMap<string, string>;
  rawHeaders: HeaderList;
  /** Its beginning. */
  body: string;
  messages: readonly ResponseText[];
  /** All that a person would read of it, in one text. */
  text: string;
  /** After the server's address, without a query. */
  path: string;
};

/** What the rules know: the description as JSON and as it is spoken, what of it is a guess of the import, and all steps of the trial. */
export type TrialContext = {
  description: PlainJsonObject;
  adapter: ApiAdapter;
  steps: readonly TrialStep[];
  guesses: readonly InterfaceGuess[];
};

const longestBody = 100_000;
const longestText = 4000;

/** Undefined where no answer came. */
export function readStepResponse(step: TrialStep, { description, adapter }: TrialContext): StepResponse | undefined {
  const call = step.calls.at(-1);
  if (!call?.response) return undefined;
  const { status, rawHeaders, body } = call.response;
  const messages = readResponseTexts(body);
  const { register } = adapter.description.calls;
  const isListed = step.name === 'register' && Array.isArray(register) && description['calls'] !== undefined;
  return {
    step,
    at: `calls.${step.name}${isListed ? '.0' : ''}`,
    status,
    headers: allHeaders(receivedHeaders(rawHeaders)),
    rawHeaders,
    body: body.slice(0, longestBody),
    messages,
    text: messages
      .map(({ text }) => text)
      .join('\n')
      .slice(0, longestText),
    path: requestPath(call, adapter),
  };
}

/** The path of a request after the server's address, without its query. */
export const requestPath = ({ request: { url } }: TransportCall, { baseUrl }: ApiAdapter): string =>
  (url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url).split('?', 1)[0] ?? '';

/** The sentence of an answer that a pattern is about, as evidence. */
export function findSentence(
  { status, messages }: Pick<StepResponse, 'status' | 'messages'>,
  pattern: RegExp,
): string | undefined {
  const found = messages.find(({ text }) => pattern.test(text));
  return found && `${status} ${found.text.replaceAll(/\s+/g, ' ').trim()}`;
}

/** The cookies that an answer sets, and does not take away. */
export const parseSetCookies = (rawHeaders: HeaderList): { name: string; value: string; isHidden: boolean }[] =>
  rawHeaders.flatMap(([header, text]) => {
    if (header.toLowerCase() !== 'set-cookie') return [];
    const [, name = '', value = ''] = /^\s*([^=;\s]{1,100})\s*=\s*([^;]*)/.exec(text) ?? [];
    const isGone = value === '' || value === '""' || /;\s*max-age\s*=\s*(?:0|-\d+)\s*(?:;|$)/i.test(text);
    return name === '' || isGone ? [] : [{ name, value, isHidden: /;\s*httponly/i.test(text) }];
  });
