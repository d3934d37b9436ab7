import { z } from 'zod';

/** The operations of the interface, by the last part of their paths. */
export const Operation = z.enum(['registro', 'register', 'login', 'perfil', 'salir']);
export type Operation = z.infer<typeof Operation>;

/** The families of servers that the embedded service can answer as. */
export const DialectName = z.enum([
  'sanctum',
  'tutorial',
  'error-true',
  'express',
  'nestjs',
  'spring',
  'django',
  'fastapi',
]);
export type DialectName = z.infer<typeof DialectName>;

/** The ways in which it can be wrong on purpose, each by itself. */
export const WrongName = z.enum([
  'token-outlives-logout',
  'password-echoed',
  'unknown-email-by-body',
  'unknown-email-by-time',
  'stack-traces',
  'tokens-guessable',
  'cpassword-ignored',
  'password-hash-in-profile',
]);
export type WrongName = z.infer<typeof WrongName>;

export const FaultKind = z.enum(['latency', '500', '429', 'expired', 'reset', 'truncated', 'html', 'drip']);
export type FaultKind = z.infer<typeof FaultKind>;

export const SeedName = z.enum(['empty', 'three', 'many', 'awkward']);
export type SeedName = z.infer<typeof SeedName>;

/** One way in which one operation goes wrong. What fits which kind is for the service to say. */
export const Fault = z.object({
  operation: Operation,
  kind: FaultKind,
  /** The next so many requests, or each one with a probability from 0 to 1. */
  amount: z.union([
    z.strictObject({ count: z.int().min(1) }),
    z.strictObject({ probability: z.number().min(0).max(1) }),
  ]),
  /** In the unit of the kind; both bounds are the same but for a random latency. */
  parameter: z.object({ least: z.int().min(0), most: z.int().min(0) }).optional(),
});
export type Fault = z.infer<typeof Fault>;

const seed = z.int().min(0).max(4_294_967_295);
const faults = z.array(Fault).max(100);
const wrong = z.array(WrongName).max(WrongName.options.length);

/** How the embedded service misbehaves now: nothing of it outlives a run of the application. */
export const Behaviour = z.object({
  isOn: z.boolean(),
  /** `null` for its own way of answering. */
  dialect: DialectName.nullable(),
  wrong,
  faults,
  /** For each fault, how many requests it will still meet; `null` for a probability. */
  left: z.array(z.int().nullable()),
  /** Decides every probability and random time. */
  seed,
});
export type Behaviour = z.infer<typeof Behaviour>;

/** What is absent stays as it is; with faults or a seed, counting begins anew. */
export const BehaviourChange = z.object({ dialect: DialectName.nullable(), wrong, faults, seed }).partial();
export type BehaviourChange = z.infer<typeof BehaviourChange>;

/** What can be chosen, in the order of the service's own help. */
export const BehaviourChoices = z.object({
  operations: z.array(Operation),
  dialects: z.array(DialectName),
  wrongs: z.array(WrongName),
  faults: z.array(
    z.object({
      kind: FaultKind,
      /** Those it makes sense for. */
      operations: z.array(Operation),
      /** Of the kinds that take one; `isRange` allows two different bounds. */
      parameter: z.object({ least: z.int(), most: z.int(), byDefault: z.int(), isRange: z.boolean() }).optional(),
    }),
  ),
  seedSets: z.array(SeedName),
  mostCount: z.int(),
});
export type BehaviourChoices = z.infer<typeof BehaviourChoices>;

/** Part of a table, in the order of ids. */
export const Page = z.object({ offset: z.int().min(0), limit: z.int().min(1).max(500) });
export type Page = z.infer<typeof Page>;

/** An account of the embedded service, without its password's hash. Instants are milliseconds since 1970. */
export const AccountRow = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  createdAtMs: z.number(),
  /** Ended ones included, until they are swept. */
  tokens: z.int(),
  /** Out of one of the sets: main knows its password, and can sign in as it. */
  seeded: z.boolean(),
});
export type AccountRow = z.infer<typeof AccountRow>;

/** A token of the embedded service: its number, and nothing of its secret. */
export const SessionRow = z.object({
  tokenId: z.int(),
  accountId: z.int(),
  email: z.string(),
  createdAtMs: z.number(),
  expiresAtMs: z.number(),
  /** Up to a minute late. */
  lastUsedAtMs: z.number().nullable(),
});
export type SessionRow = z.infer<typeof SessionRow>;

export const AccountPage = z.object({ total: z.int(), rows: z.array(AccountRow) });
export type AccountPage = z.infer<typeof AccountPage>;
export const SessionPage = z.object({ total: z.int(), rows: z.array(SessionRow) });
export type SessionPage = z.infer<typeof SessionPage>;

/** One request that the embedded service answered; nothing in it was chosen by a client. */
export const LoggedRequest = z.object({
  id: z.string(),
  atMs: z.number(),
  method: z.string(),
  /** `null` where there is no such route. */
  route: z.string().nullable(),
  /** `null` when the connection ended before an answer. */
  status: z.int().nullable(),
  durationMs: z.number(),
  /** What was done to it on purpose. */
  faults: z.array(FaultKind),
});
export type LoggedRequest = z.infer<typeof LoggedRequest>;

/** What the built-in server holds, and the copies of it that can be brought back. */
export const BuiltInData = z.object({
  /** The number of its accounts. */
  accounts: z.int(),
  /** Whether a reset or a restore replaced something that can be brought back. */
  canUndo: z.boolean(),
  /** The newest is the first. */
  snapshots: z.array(z.object({ id: z.string(), atMs: z.number() })),
});
export type BuiltInData = z.infer<typeof BuiltInData>;
