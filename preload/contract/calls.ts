import { z } from 'zod';
import { editedMethods, longestEdited, mostEditedHeaders, operations } from './names.ts';
import { CertificateDetails } from './connection.ts';
import { AppError, withFormerName } from './result.ts';

/** Why one answer was read as it was. It has places and rules, never values. */
export const InterpretationTrace = z.object({
  operation: z.enum(operations),
  verdict: withFormerName(z.string(), 'further-step', 'mfa-required'),
  rule: z.string(),
  found: z.array(
    z.object({
      what: z.enum(['token', 'user', 'message', 'fieldErrors', 'retryAfterSeconds']),
      path: z.string(),
      rule: z.string(),
    }),
  ),
});
export type InterpretationTrace = z.infer<typeof InterpretationTrace>;

/** It stands for a secret that was cut out, and never holds the secret itself. Equal secrets have equal ids. */
export const SecretReference = z.object({
  secret: z.enum(['token', 'password', 'hash', 'cookie', 'proxy-credential', 'other']),
  id: z.string(),
});
export type SecretReference = z.infer<typeof SecretReference>;

/** A text with references where its secrets were. It comes from outside, and is shown as text only. */
export const RedactedText = z.array(z.union([z.string(), SecretReference]));
export type RedactedText = z.infer<typeof RedactedText>;

export const RedactedBody = z.discriminatedUnion('form', [
  z.object({
    form: z.literal('text'),
    text: RedactedText,
    bytes: z.int(),
    /** It was longer than what is kept of a body. `bytes` is all that came. */
    isBeginning: z.literal(true).optional(),
    /** It is shown in this run only, and kept nowhere. */
    isInMemory: z.literal(true).optional(),
  }),
  /** It is neither JSON nor a form, so its text is not kept. */
  z.object({
    form: z.literal('described'),
    bytes: z.int(),
    /** Its media type, as it was declared. */
    type: z.string().optional(),
    /** It is absent where a secret was in it. */
    sha256: z.string().optional(),
    /** The title or first heading of a page, and the exception that it names. */
    title: RedactedText.optional(),
    /** Its text without secrets, where the person keeps that. It is in no report and no export. */
    text: RedactedText.optional(),
  }),
]);
export type RedactedBody = z.infer<typeof RedactedBody>;

const Headers = z.array(z.tuple([z.string(), RedactedText]));

/** Milliseconds since the call began. What did not happen is absent. */
export const CallTimings = z.object({
  dnsMs: z.number().optional(),
  connectMs: z.number().optional(),
  tlsMs: z.number().optional(),
  firstByteMs: z.number().optional(),
  totalMs: z.number(),
});
export type CallTimings = z.infer<typeof CallTimings>;

const EditedText = z
  .array(z.union([z.string().max(longestEdited), SecretReference.extend({ id: z.string().max(100) })]))
  .max(200);
/** A request as a person edited it. References stand where its secrets are; main puts those in when it sends. */
export const EditedRequest = z.object({
  method: z.enum(editedMethods),
  /** What follows the address of the server. */
  path: EditedText,
  headers: z.array(z.object({ name: z.string().max(1000), value: EditedText })).max(mostEditedHeaders),
  body: EditedText.optional(),
});
export type EditedRequest = z.infer<typeof EditedRequest>;

/** A recorded request as it can be edited, and the one address below which it goes. */
export type EditableRequest = {
  baseUrl: string;
  method: string;
  path: RedactedText;
  headers: { name: string; value: RedactedText }[];
  body?: RedactedText | undefined;
};

/** The call that this one is a replay of, and whether its request was edited before. */
export const ReplayOf = z.object({
  id: z.string(),
  // Earlier builds recorded which of eleven changes it was.
  change: z.literal('edited').optional().catch('edited'),
});
export type ReplayOf = z.infer<typeof ReplayOf>;

/** One call as it went over the wire, without its secrets. */
export const RecordedCall = z.object({
  id: z.string(),
  serverId: z.string(),
  /** In ISO 8601. */
  startedAt: z.string(),
  request: z.object({
    method: z.string(),
    url: RedactedText,
    /** The request line and the headers, with their line ends. */
    head: z.object({ text: RedactedText, source: z.enum(['as-written', 'as-prepared']) }),
    body: RedactedBody.optional(),
    /** The names of the headers that were added for the server, as the person set them. */
    added: z.array(z.string()).optional(),
    /** How many more headers there were, of which nothing is kept. */
    moreHeaders: z.int().optional(),
  }),
  /** It is there beside a failure too, if its head had arrived. */
  response: z
    .object({
      status: z.int(),
      httpVersion: z.string(),
      /** Those that are kept, as they were received: in order, in their own case, and with duplicates. */
      headers: Headers,
      moreHeaders: z.int().optional(),
      body: RedactedBody,
    })
    .optional(),
  failure: AppError.optional(),
  timings: CallTimings,
  /** `ip:port` of the other end, which is the proxy if there is one. */
  remote: z.string().optional(),
  /** As `scheme://host:port`. */
  proxy: z.string().optional(),
  security: z
    .object({ protocol: z.string(), pinned: z.boolean(), certificate: CertificateDetails.optional() })
    .optional(),
  reusedConnection: z.boolean(),
  understood: InterpretationTrace.optional(),
  replayOf: ReplayOf.optional(),
  /** The contract run that sent it, by the moment it began, in milliseconds since 1970. A replay is no part of the run. */
  contractRun: z.int().optional(),
});
export type RecordedCall = z.infer<typeof RecordedCall>;

/** What a list shows of a call. */
export type CallSummary = {
  id: string;
  serverId: string;
  startedAt: string;
  method: string;
  /** The path and the query, without secrets. */
  path: string;
  host: string;
  /** It is absent when no head of an answer arrived. */
  status?: number | undefined;
  /** The kind of the failure, if the call failed. */
  failure?: string | undefined;
  totalMs: number;
  responseBytes: number;
  pinned: boolean;
  replayOf?: ReplayOf | undefined;
  contractRun?: number | undefined;
};

export const CallFilter = z.object({
  /** It is looked for in method, address, headers and bodies. An empty text finds all. */
  search: z.string().max(200),
  serverId: z.string().max(100).optional(),
  outcome: z.enum(['all', 'succeeded', 'refused', 'failed']),
  /** Whether the calls of contract runs are listed. Each run has some hundreds. */
  checks: z.enum(['with', 'without', 'only']),
  pinnedOnly: z.boolean(),
});
export type CallFilter = z.infer<typeof CallFilter>;

/** A contract run, and how many of its calls match. */
type RunOfCalls = { contractRun: number; count: number };

/** The newest is the first. `more` says that older ones match as well, and `runs` has the runs of all that match. */
export type CallPage = { calls: CallSummary[]; total: number; more: boolean; runs: RunOfCalls[] };

export const CommandForm = z.enum(['curl-bash', 'curl-powershell', 'fetch']);
export type CommandForm = z.infer<typeof CommandForm>;

/** How a replay went. Either it was sent, whatever the server said, or it was not, since these secrets are missing. */
export type ReplayOutcome =
  | { outcome: 'sent'; call: RecordedCall }
  | { outcome: 'secrets-missing'; missing: SecretReference[] };
