import { z } from 'zod';
import { Behaviour } from './built-in-server.ts';
import { AppError } from './result.ts';

/** Of whom a double was learned. */
export const DoubleOrigin = z.object({
  /** The name of the original. It is its host where it has no other. */
  of: z.string().max(200),
  /** The address of the original. */
  originUrl: z.string().max(2_000),
  /** The server that was measured. It is absent where the model came out of a file. */
  originId: z.string().max(100).optional(),
  /** When the original was measured, in ISO 8601. */
  measuredAt: z.iso.datetime(),
});
export type DoubleOrigin = z.infer<typeof DoubleOrigin>;

/** Whether a double runs. It is started when it is chosen or used. */
export const DoubleRun = z.discriminatedUnion('state', [
  z.object({ state: z.literal('stopped') }),
  z.object({ state: z.literal('starting') }),
  z.object({ state: z.literal('running') }),
  /** `message` is one English sentence of the service. */
  z.object({ state: z.literal('failed'), message: z.string() }),
]);
export type DoubleRun = z.infer<typeof DoubleRun>;

/** What is known of how a double compares with its original: the same contract run is done over both. */
export const DoubleProof = z.discriminatedUnion('state', [
  /** The model came out of a file, so there is no report of the original. */
  z.object({ state: z.literal('from-file') }),
  /** The comparison did not come to its end. */
  z.object({ state: z.literal('not-compared') }),
  z.object({ state: z.literal('under-way'), casesDone: z.int(), casesPlanned: z.int() }),
  z.object({ state: z.literal('compared'), cases: z.int(), differences: z.int() }),
]);
export type DoubleProof = z.infer<typeof DoubleProof>;

/** A double as the window shows it, beside what it shows of any server. */
export const ShownDouble = DoubleOrigin.extend({
  run: DoubleRun,
  proof: DoubleProof,
  /** How far its clock is ahead of this computer's. */
  clockAheadMs: z.number(),
  behaviour: Behaviour,
});
export type ShownDouble = z.infer<typeof ShownDouble>;

/** A double that is being made, or measured again. There is one at a time. */
export const DoubleWork = z.discriminatedUnion('step', [
  z.object({ step: z.literal('measuring'), casesDone: z.int(), casesPlanned: z.int(), secondsLeft: z.number() }),
  z.object({ step: z.literal('learning') }),
  z.object({ step: z.literal('failed'), error: AppError }),
]);
export type DoubleWork = z.infer<typeof DoubleWork>;

/** Of which server a double is made. `doubleId` is there where one is measured again. */
export const DoubleWorkOf = z.object({ serverId: z.string(), doubleId: z.string().optional(), work: DoubleWork });
export type DoubleWorkOf = z.infer<typeof DoubleWorkOf>;

/** A rule of a server, as a person reads it. */
export const RuleName = z.enum([
  'servesRegistro',
  'servesRegister',
  'refusesTakenEmail',
  'registrationIgnoresCase',
  'registrationTrims',
  'nameMost',
  'emailMost',
  'passwordLeast',
  'passwordMost',
  'passwordCutAt',
  'tellsAllProblems',
  'loginIgnoresCase',
  'loginTrims',
  'unknownEmailAtOnce',
  'tokensPerAccount',
  'sameTokenInOneSecond',
  'tokenSeconds',
  'logoutEnds',
  'schemeIgnoresCase',
  'bodyMostBytes',
  'failedLogins',
  'registrations',
]);
export type RuleName = z.infer<typeof RuleName>;

/** What a rule says. */
export const RuleValue = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('flag'), yes: z.boolean() }),
  z.object({ kind: z.literal('number'), number: z.number() }),
  z.object({ kind: z.literal('never') }),
  z.object({
    kind: z.literal('choice'),
    choice: z.enum(['many', 'one', 'newest', 'its-token', 'all-tokens', 'second-logout', 'nothing']),
  }),
  z.object({ kind: z.literal('limit'), most: z.int(), windowSeconds: z.int() }),
]);
export type RuleValue = z.infer<typeof RuleValue>;

/** Whether the report of a shared finding holds a model of its server, and why not. */
export const SharedModel = z.enum([
  'included',
  /** What the run saw is no longer in memory. */
  'not-in-memory',
  /** Nothing was learned of the server in that run. */
  'not-learned',
  /** No double shows it: what is encrypted, and what a page of another origin may read. */
  'not-imitated',
]);
export type SharedModel = z.infer<typeof SharedModel>;
