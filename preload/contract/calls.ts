import { z } from 'zod';
import { editedMethods, longestEdited, mostEditedHeaders, operations } from './names.ts';
import { CertificateDetails } from './connection.ts';
import { AppError, withFormerName, withFormerOperations } from './result.ts';

/** How a response was interpreted: paths and rules, never values. */
export const InterpretationTrace = z.object({
  operation: withFormerOperations(z.enum(operations)),
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

/** Replaces a secret, and never contains it. Equal secrets have equal ids. */
export const SecretReference = z.object({
  secret: z.enum(['token', 'password', 'hash', 'cookie', 'proxy-credential', 'other']),
  id: z.string(),
});
export type SecretReference = z.infer<typeof SecretReference>;

/** An untrusted text with references in place of its secrets. */
export const RedactedText = z.array(z.union([z.string(), SecretReference]));
export type RedactedText = z.infer<typeof RedactedText>;

export const RedactedBody = z.discriminatedUnion('form', [
  z.object({
    form: z.literal('text'),
    text: RedactedText,
    bytes: z.int(),
    /** Truncated; `bytes` is the full length. */
    isBeginning: z.literal(true).optional(),
    /** Not stored: shown until the application ends. */
    isInMemory: z.literal(true).optional(),
  }),
  /** Neither JSON nor a form, so its text is not stored. */
  z.object({
    form: z.literal('described'),
    bytes: z.int(),
    /** The declared media type. */
    type: z.string().optional(),
    /** Absent if the body contained a secret. */
    sha256: z.string().optional(),
    /** The title or first heading of a page, and the name of its exception. */
    title: RedactedText.optional(),
    /** The redacted text, if the user chose to store it. In no report and no export. */
    text: RedactedText.optional(),
  }),
]);
export type RedactedBody = z.infer<typeof RedactedBody>;

const Headers = z.array(z.tuple([z.string(), RedactedText]));

/** Milliseconds since the start of the request. Skipped phases are absent. */
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
/** An edited request. Main replaces the references with their secrets when it sends. */
export const EditedRequest = z.object({
  method: z.enum(editedMethods),
  /** What follows the server's address. */
  path: EditedText,
  headers: z.array(z.object({ name: z.string().max(1000), value: EditedText })).max(mostEditedHeaders),
  body: EditedText.optional(),
});
export type EditedRequest = z.infer<typeof EditedRequest>;

/** A recorded request to edit. It can only be sent below `baseUrl`. */
export type EditableRequest = {
  baseUrl: string;
  method: string;
  path: RedactedText;
  headers: { name: string; value: RedactedText }[];
  body?: RedactedText | undefined;
};

/** The replayed request, and whether it was edited. */
export const ReplayOf = z.object({
  id: z.string(),
  // Earlier builds recorded which of eleven changes it was.
  change: z.literal('edited').optional().catch('edited'),
});
export type ReplayOf = z.infer<typeof ReplayOf>;

/** A request and its response as sent and received, redacted. */
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
    /** The names of the server's extra headers. */
    added: z.array(z.string()).optional(),
    /** The number of headers that were not stored. */
    moreHeaders: z.int().optional(),
  }),
  /** Also beside a failure, if its head was received. */
  response: z
    .object({
      status: z.int(),
      httpVersion: z.string(),
      /** As received: in order, in their own case, with duplicates. */
      headers: Headers,
      moreHeaders: z.int().optional(),
      body: RedactedBody,
    })
    .optional(),
  failure: AppError.optional(),
  timings: CallTimings,
  /** `ip:port` of the peer, which is the proxy if there is one. */
  remote: z.string().optional(),
  /** As `scheme://host:port`. */
  proxy: z.string().optional(),
  security: z
    .object({ protocol: z.string(), pinned: z.boolean(), certificate: CertificateDetails.optional() })
    .optional(),
  reusedConnection: z.boolean(),
  understood: InterpretationTrace.optional(),
  replayOf: ReplayOf.optional(),
  /** The check that sent it, by its start in milliseconds since 1970. A replay has none. */
  contractRun: z.int().optional(),
});
export type RecordedCall = z.infer<typeof RecordedCall>;

/** A request in a list. */
export type CallSummary = {
  id: string;
  serverId: string;
  startedAt: string;
  method: string;
  /** Path and query, redacted. */
  path: string;
  host: string;
  /** Absent without a response. */
  status?: number | undefined;
  /** The kind of the error. */
  failure?: string | undefined;
  totalMs: number;
  responseBytes: number;
  pinned: boolean;
  replayOf?: ReplayOf | undefined;
  contractRun?: number | undefined;
};

export const CallFilter = z.object({
  /** Searched in method, URL, headers and bodies. An empty text matches all. */
  search: z.string().max(200),
  serverId: z.string().max(100).optional(),
  outcome: z.enum(['all', 'succeeded', 'refused', 'failed']),
  /** Whether the requests of checks are listed, some hundreds each. */
  checks: z.enum(['with', 'without', 'only']),
  pinnedOnly: z.boolean(),
});
export type CallFilter = z.infer<typeof CallFilter>;

/** A check, and the number of its matching requests. */
type RunOfCalls = { contractRun: number; count: number };

/** The newest first. `more`: older ones match as well. `runs` has the checks of all that match. */
export type CallPage = { calls: CallSummary[]; total: number; more: boolean; runs: RunOfCalls[] };

export const CommandForm = z.enum(['curl-bash', 'curl-powershell', 'fetch']);
export type CommandForm = z.infer<typeof CommandForm>;

/** A replay is not sent if secrets of it are no longer known. */
export type ReplayOutcome =
  | { outcome: 'sent'; call: RecordedCall }
  | { outcome: 'secrets-missing'; missing: SecretReference[] };
