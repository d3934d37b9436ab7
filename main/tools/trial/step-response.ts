import type { InterfaceGuess } from '../../../preload/contract/connection.ts';
import type { TrialCall } from '../../../preload/contract/trial.ts';
import type { TransportCall, HeaderList } from '../../client/call.ts';
import type { ClientResult } from '../../client/client.ts';
import { allHeaders, receivedHeaders } from '../../client/reading/headers.ts';
import { readResponseTexts, type ResponseText } from '../../client/response-texts.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import type { PlainJsonObject } from './description-change.ts';

/** A call of a trial, with all requests that were sent for it. */
export type TrialStep = {
  name: Exclude<TrialCall['call'], 'csrf'>;
  result: ClientResult;
  calls: readonly TransportCall[];
};

/** The response to the last request of a step. */
export type StepResponse = {
  step: TrialStep;
  /** The path of the call in the description: `calls.login`, `calls.register.0`. */
  at: string;
  status: number;
  headers: ReadonlyMap<string, string>;
  rawHeaders: HeaderList;
  /** At most {@link maxBodyLength} characters. */
  body: string;
  messages: readonly ResponseText[];
  /** All messages in one text. */
  text: string;
  /** After the base URL, without a query. */
  path: string;
};

/** The input of the rules. `guesses` are the parts that the import guessed and nobody confirmed. */
export type TrialContext = {
  description: PlainJsonObject;
  adapter: ApiAdapter;
  steps: readonly TrialStep[];
  guesses: readonly InterfaceGuess[];
};

const maxBodyLength = 100_000;
const maxTextLength = 4000;

/** Undefined if there was no response. */
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
    body: body.slice(0, maxBodyLength),
    messages,
    text: messages
      .map(({ text }) => text)
      .join('\n')
      .slice(0, maxTextLength),
    path: requestPath(call, adapter),
  };
}

/** The path of a request after the base URL, without its query. */
export const requestPath = ({ request: { url } }: TransportCall, { baseUrl }: ApiAdapter): string =>
  (url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url).split('?', 1)[0] ?? '';

/** The first message that matches a pattern, with the status, as evidence. */
export function findSentence(
  { status, messages }: Pick<StepResponse, 'status' | 'messages'>,
  pattern: RegExp,
): string | undefined {
  const message = messages.find(({ text }) => pattern.test(text));
  return message && `${status} ${message.text.replaceAll(/\s+/g, ' ').trim()}`;
}

/** The cookies that a response sets, without those that it deletes. */
export const parseSetCookies = (rawHeaders: HeaderList): { name: string; value: string; isHttpOnly: boolean }[] =>
  rawHeaders.flatMap(([header, text]) => {
    if (header.toLowerCase() !== 'set-cookie') return [];
    const [, name = '', value = ''] = /^\s*([^=;\s]{1,100})\s*=\s*([^;]*)/.exec(text) ?? [];
    const isDeleted = value === '' || value === '""' || /;\s*max-age\s*=\s*(?:0|-\d+)\s*(?:;|$)/i.test(text);
    return name === '' || isDeleted ? [] : [{ name, value, isHttpOnly: /;\s*httponly/i.test(text) }];
  });
