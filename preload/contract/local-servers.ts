import { z } from 'zod';
import { MockOrigin } from './settings.ts';
import { clientFaults, dialectNames, faultKindNames, seedNames, defectNames, operations } from './names.ts';
import { AppError } from './result.ts';

export const Operation = z.enum(operations);
export type Operation = z.infer<typeof Operation>;
export const DialectName = z.enum(dialectNames);
export type DialectName = z.infer<typeof DialectName>;
export const DefectName = z.enum(defectNames);
export type DefectName = z.infer<typeof DefectName>;
export const FaultKind = z.enum(faultKindNames);
export type FaultKind = z.infer<typeof FaultKind>;
export const SeedName = z.enum(seedNames);
export type SeedName = z.infer<typeof SeedName>;

/** One way in which one operation goes wrong. The service says what fits which kind. */
export const FaultRule = z.object({
  operation: Operation,
  kind: FaultKind,
  /** How many of the next requests it meets, or the probability from 0 to 1 with which it meets each. */
  amount: z.union([
    z.strictObject({ count: z.int().min(1) }),
    z.strictObject({ probability: z.number().min(0).max(1) }),
  ]),
  /** The bounds are in the unit of the kind. They are the same, except for a latency at random. */
  parameter: z.object({ least: z.int().min(0), most: z.int().min(0) }).optional(),
});
export type FaultRule = z.infer<typeof FaultRule>;

const seed = z.int().min(0).max(4_294_967_295);
const faults = z.array(FaultRule).max(100);
const defects = z.array(DefectName).max(DefectName.options.length);

/** How the built-in server behaves now. Nothing of it outlives a run of the application. */
export const ServerBehaviour = z.object({
  isOn: z.boolean(),
  /** `null` is its own way of answering. */
  dialect: DialectName.nullable(),
  wrong: defects,
  faults,
  /** For each fault, the number of requests that it will still meet. It is `null` for a probability. */
  left: z.array(z.int().nullable()),
  /** It decides every probability and every time at random. */
  seed,
});
export type ServerBehaviour = z.infer<typeof ServerBehaviour>;

/** What is absent stays as it is. With faults or a seed, counting starts again. */
export const BehaviourChange = z.object({ dialect: DialectName.nullable(), wrong: defects, faults, seed }).partial();
export type BehaviourChange = z.infer<typeof BehaviourChange>;

/** What can be chosen, in the order of the service's help. */
export const BehaviourChoices = z.object({
  operations: z.array(Operation),
  dialects: z.array(DialectName),
  defects: z.array(DefectName),
  faults: z.array(
    z.object({
      kind: FaultKind,
      /** The operations for which the fault makes sense. */
      operations: z.array(Operation),
      /** Only some kinds take a parameter. `isRange` allows two different bounds. */
      parameter: z.object({ least: z.int(), most: z.int(), byDefault: z.int(), isRange: z.boolean() }).optional(),
    }),
  ),
  seedSets: z.array(SeedName),
  mostCount: z.int(),
  /** What a login that succeeds answers, with everything in it made up, for each dialect. `null` is its own way. */
  logins: z.array(
    z.object({
      dialect: DialectName.nullable(),
      /** Those of the wrongs that change this answer. */
      wrong: z.array(DefectName),
      status: z.int(),
      type: z.string(),
      /** JSON. */
      body: z.string(),
    }),
  ),
});
export type BehaviourChoices = z.infer<typeof BehaviourChoices>;

/** A part of a table, in the order of ids. */
export const PageRange = z.object({ offset: z.int().min(0), limit: z.int().min(1).max(500) });
export type PageRange = z.infer<typeof PageRange>;

/** An account of the built-in server, without the hash of its password. Instants are milliseconds since 1970. */
const AccountRow = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  createdAtMs: z.number(),
  /** The number of its tokens. Ended ones count until they are swept. */
  tokens: z.int(),
  /** Whether it is one of a set. Main then knows its password, and can sign in as it. */
  seeded: z.boolean(),
});
type AccountRow = z.infer<typeof AccountRow>;

/** A token of the built-in server. It has the number of the token, and nothing of its secret. */
const SessionRow = z.object({
  tokenId: z.int(),
  accountId: z.int(),
  email: z.string(),
  createdAtMs: z.number(),
  expiresAtMs: z.number(),
  /** It may be up to a minute late. */
  lastUsedAtMs: z.number().nullable(),
});
type SessionRow = z.infer<typeof SessionRow>;

export const AccountListPage = z.object({ total: z.int(), rows: z.array(AccountRow) });
export type AccountListPage = z.infer<typeof AccountListPage>;
export const SessionPage = z.object({ total: z.int(), rows: z.array(SessionRow) });
export type SessionPage = z.infer<typeof SessionPage>;

/** One request that the built-in server answered. Nothing in it was chosen by a client. */
export const LoggedRequest = z.object({
  id: z.string(),
  atMs: z.number(),
  method: z.string(),
  /** `null` says that there is no such route. */
  route: z.string().nullable(),
  /** `null` says that the connection ended before an answer. */
  status: z.int().nullable(),
  durationMs: z.number(),
  /** What was done to it on purpose. */
  faults: z.array(FaultKind),
});
export type LoggedRequest = z.infer<typeof LoggedRequest>;

/** One thing that a client of the built-in server did wrong. Nothing in it was chosen by the client. */
export const ClientProblem = z.object({
  fault: z.enum(clientFaults),
  /** How often it was seen. */
  count: z.int(),
  /** The requests that show it, for the first times that it was seen. The oldest is the first. */
  shownBy: z.array(z.array(LoggedRequest.pick({ id: true, atMs: true, method: true, route: true, status: true }))),
});
export type ClientProblem = z.infer<typeof ClientProblem>;

/** Where the clock of the built-in server is moved: ahead, or back to the time of this computer. */
export const ClockPreset = z.enum(['minute', 'hour', 'newest-token-end', 'now']);
export type ClockPreset = z.infer<typeof ClockPreset>;

/** How many accounts and tokens the built-in server holds, and how many requests it remembers. */
export const BuiltInCounts = z.object({ accounts: z.int(), sessions: z.int(), requests: z.int() });
export type BuiltInCounts = z.infer<typeof BuiltInCounts>;

/** What the built-in server holds, and the copies of it that can be brought back. */
export const BuiltInData = z.object({
  /** The number of its accounts. */
  accounts: z.int(),
  /** Whether a reset or a restore replaced something that can be brought back. */
  canUndo: z.boolean(),
  /** The newest is the first. */
  snapshots: z.array(z.object({ id: z.string(), atMs: z.number(), accounts: z.int() })),
});
export type BuiltInData = z.infer<typeof BuiltInData>;

/** Whether a double runs. It is started when it is chosen or used. */
export const MockStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('stopped') }),
  z.object({ state: z.literal('starting') }),
  z.object({ state: z.literal('running') }),
  /** `message` is one English sentence of the service. */
  z.object({ state: z.literal('failed'), message: z.string() }),
]);
export type MockStatus = z.infer<typeof MockStatus>;

/** What is known of how a double compares with its original: the same contract run is done over both. */
export const MockVerificationStatus = z.discriminatedUnion('state', [
  /** The model came out of a file, so there is no report of the original. */
  z.object({ state: z.literal('from-file') }),
  /** The comparison did not come to its end. */
  z.object({ state: z.literal('not-compared') }),
  z.object({ state: z.literal('under-way'), casesDone: z.int(), casesPlanned: z.int() }),
  z.object({ state: z.literal('compared'), cases: z.int(), differences: z.int() }),
]);
export type MockVerificationStatus = z.infer<typeof MockVerificationStatus>;

/** A double as the window shows it, beside what it shows of any server. */
export const MockServerInfo = MockOrigin.extend({
  run: MockStatus,
  verification: MockVerificationStatus,
  /** How far its clock is ahead of this computer's. */
  clockAheadMs: z.number(),
  behaviour: ServerBehaviour,
});
export type MockServerInfo = z.infer<typeof MockServerInfo>;

/** A double that is being made, or measured again. There is one at a time. */
export const MockCreationStep = z.discriminatedUnion('step', [
  z.object({ step: z.literal('measuring'), casesDone: z.int(), casesPlanned: z.int(), secondsLeft: z.number() }),
  z.object({ step: z.literal('learning') }),
  z.object({ step: z.literal('failed'), error: AppError }),
]);
export type MockCreationStep = z.infer<typeof MockCreationStep>;

/** Of which server a double is made. `doubleId` is there where one is measured again. */
export const MockCreation = z.object({ serverId: z.string(), mockId: z.string().optional(), work: MockCreationStep });
export type MockCreation = z.infer<typeof MockCreation>;

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
export const SharedMockStatus = z.enum([
  'included',
  /** What the run saw is no longer in memory. */
  'not-in-memory',
  /** Nothing was learned of the server in that run. */
  'not-learned',
  /** No double shows it: what is encrypted, and what a page of another origin may read. */
  'not-imitated',
]);
export type SharedMockStatus = z.infer<typeof SharedMockStatus>;
