import { z } from 'zod';
import type { MockOrigin } from './settings.ts';
import {
  type AccountDefectName,
  type ClientFault,
  type DefectName,
  type DialectName,
  type FaultKind,
  type Operation,
  type SeedName,
  type VulnerabilityName,
  accountDefectNames,
  dialectNames,
  faultKindNames,
  seedNames,
  defectNames,
  operations,
} from './names.ts';
import type { AppError } from './result.ts';

const OperationSchema = z.enum(operations);
const DialectSchema = z.enum(dialectNames);
const VulnerabilitySchema = z.enum([...defectNames, ...accountDefectNames]);
const FaultKindSchema = z.enum(faultKindNames);
export const SeedSchema = z.enum(seedNames);

/** One way in which one operation goes wrong. The service says what fits which kind. */
export const FaultRule = z.object({
  operation: OperationSchema,
  kind: FaultKindSchema,
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
const defects = z.array(VulnerabilitySchema).max(VulnerabilitySchema.options.length);

/** How the built-in server behaves now. Nothing of it outlives a run of the application. */
export type ServerBehaviour = {
  isOn: boolean;
  /** `null` is its own way of answering. */
  dialect: DialectName | null;
  defects: VulnerabilityName[];
  faults: FaultRule[];
  /** For each fault, the number of requests that it will still meet. It is `null` for a probability. */
  left: (number | null)[];
  /** It decides every probability and every time at random. */
  seed: number;
};

/** What is absent stays as it is. With faults or a seed, counting starts again. */
export const BehaviourChange = z.object({ dialect: DialectSchema.nullable(), defects, faults, seed }).partial();
export type BehaviourChange = z.infer<typeof BehaviourChange>;

/** What can be chosen, in the order of the service's help. */
export type BehaviourChoices = {
  operations: Operation[];
  dialects: DialectName[];
  defects: DefectName[];
  /** With account management only. */
  accountDefects: AccountDefectName[];
  faults: {
    kind: FaultKind;
    /** The operations for which the fault makes sense. */
    operations: Operation[];
    /** Only some kinds take a parameter. `isRange` allows two different bounds. */
    parameter?: { least: number; most: number; byDefault: number; isRange: boolean } | undefined;
  }[];
  seedSets: SeedName[];
  mostCount: number;
  /** What a login that succeeds answers, with everything in it made up, for each dialect. `null` is its own way. */
  logins: {
    dialect: DialectName | null;
    /** The vulnerabilities that change this answer. */
    defects: DefectName[];
    status: number;
    type: string;
    /** JSON. */
    body: string;
  }[];
};

/** A part of a table, in the order of ids. */
export const PageRange = z.object({ offset: z.int().min(0), limit: z.int().min(1).max(500) });
export type PageRange = z.infer<typeof PageRange>;

/** An account of the built-in server, without the hash of its password. Instants are milliseconds since 1970. */
type AccountRow = {
  id: number;
  name: string;
  email: string;
  createdAtMs: number;
  /** The number of its tokens. Ended ones count until they are swept. */
  tokens: number;
  /** Whether it is one of a set. Main then knows its password, and can sign in as it. */
  seeded: boolean;
};

/** A token of the built-in server. It has the number of the token, and nothing of its secret. */
type SessionRow = {
  tokenId: number;
  accountId: number;
  email: string;
  createdAtMs: number;
  expiresAtMs: number;
  /** It may be up to a minute late. */
  lastUsedAtMs: number | null;
};

export type AccountListPage = { total: number; rows: AccountRow[] };
export type SessionPage = { total: number; rows: SessionRow[] };

/** One request that the built-in server answered. Nothing in it was chosen by a client. */
export type LoggedRequest = {
  id: string;
  atMs: number;
  method: string;
  /** `null` says that there is no such route. */
  route: string | null;
  /** `null` says that the connection ended before an answer. */
  status: number | null;
  durationMs: number;
  /** What was done to it on purpose. */
  faults: FaultKind[];
};

/** One thing that a client of the built-in server did wrong. Nothing in it was chosen by the client. */
export type ClientProblem = {
  fault: ClientFault;
  /** How often it was seen. */
  count: number;
  /** The requests that show it, for the first times that it was seen. The oldest is the first. */
  shownBy: Pick<LoggedRequest, 'id' | 'atMs' | 'method' | 'route' | 'status'>[][];
};

/** Where the clock of the built-in server is moved: ahead, or back to the time of this computer. */
export const ClockPreset = z.enum(['minute', 'hour', 'newest-token-end', 'now']);
export type ClockPreset = z.infer<typeof ClockPreset>;

/** How many accounts and tokens the built-in server holds, and how many requests it remembers. */
export type BuiltInCounts = { accounts: number; sessions: number; requests: number };

/** The number of accounts of the built-in server, and whether the last reset can be undone. */
export type BuiltInData = { accounts: number; canUndo: boolean };

/** Whether a mock server runs. It is started when it is chosen or used. */
export type MockStatus =
  | { state: 'stopped' }
  | { state: 'starting' }
  | { state: 'running' }
  /** `message` is one English sentence of the service. */
  | { state: 'failed'; message: string };

/** How a mock server compares with its original: the same check is run on both. */
export type MockVerificationStatus =
  /** Imported from a file, so there is no report of the original. */
  | { state: 'from-file' }
  /** The comparison was ended, or failed. */
  | { state: 'not-compared' }
  | { state: 'running'; casesDone: number; casesPlanned: number }
  | { state: 'compared'; cases: number; differences: number };

/** A mock server for the window, beside what it shows of any server. */
export type MockServerInfo = MockOrigin & {
  run: MockStatus;
  verification: MockVerificationStatus;
  /** How far its clock is ahead of this computer's. */
  clockAheadMs: number;
  behaviour: ServerBehaviour;
};

/** The progress of a mock server that is created or checked again, one at a time. */
export type MockCreationStep =
  | { step: 'measuring'; casesDone: number; casesPlanned: number; secondsLeft: number }
  | { step: 'learning' }
  | { step: 'failed'; error: AppError };

/** `serverId` is the original; `mockId` is set for a mock server that is checked again. */
export type MockCreation = { serverId: string; mockId?: string | undefined; work: MockCreationStep };

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
export type RuleValue =
  | { kind: 'flag'; yes: boolean }
  | { kind: 'number'; number: number }
  | { kind: 'never' }
  | { kind: 'choice'; choice: 'many' | 'one' | 'newest' | 'its-token' | 'all-tokens' | 'second-logout' | 'nothing' }
  | { kind: 'limit'; most: number; windowSeconds: number }
  /** How many wrong codes there may be, in one pending login or for one account. */
  | { kind: 'wrong-codes'; most: number; of: 'pending-login' | 'account' };

/** Whether the report of a shared finding holds a model of its server, and why not. */
export type SharedMockStatus =
  | 'included'
  /** What the run saw is no longer in memory. */
  | 'not-in-memory'
  /** Nothing was learned of the server in that run. */
  | 'not-learned'
  /** No mock server shows it: what is encrypted, and what a page of another origin may read. */
  | 'not-imitated';
