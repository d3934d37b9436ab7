import type { BuiltInStatus } from '../../preload/contract/models.ts';
import type {
  AccountPage,
  BehaviourChoices,
  ClientLine,
  DialectName,
  Fault,
  LoggedRequest,
  Page,
  SeedName,
  SessionPage,
  WrongName,
} from '../../preload/contract/built-in-server.ts';

/** Whom the service says to log in as. This never leaves main. */
export type Person = { email: string; password: string };

type CopyFailure = { ok: false; kind: 'in-memory' | 'no-copy' | 'unwritable' | 'not-removed' };
type SeededAnswer = { ok: true; person: Person } | { ok: false; kind: 'not-seeded' };
type DemoAnswer = { ok: true; person: Person } | { ok: false; kind: 'taken' };

type Misbehaviour = {
  isOn: boolean;
  dialect?: DialectName | undefined;
  wrong: readonly WrongName[];
  faults: readonly Fault[];
  left: (number | undefined)[];
  seed: number;
};

/**
 * What main needs of the service beside its address. It is written down here, since only `start-service.ts` knows the
 * service itself. That file checks in both directions that the service fits.
 */
export type Controls = {
  choices: BehaviourChoices;
  /** Returns the fault with its default parameter; undefined when there can be no such fault. */
  possibleFault: (fault: Fault) => Fault | undefined;
  demoEmail: string;
  behaviour: {
    get(): Misbehaviour;
    set(changes: Partial<Pick<Misbehaviour, 'dialect' | 'wrong' | 'faults' | 'seed'>>): Misbehaviour;
    requests(): LoggedRequest[];
    clearRequests(): void;
    onRequest(listener: () => void): void;
  };
  clock: {
    get(): { aheadMs: number };
    move(
      move: { advanceMs: number } | { to: 'newest-token-end' | 'now' },
    ): Promise<{ ok: true; clock: { aheadMs: number } } | { ok: false; kind: 'too-far' | 'no-token' | 'shared' }>;
  };
  clients: { lines(): ClientLine[]; clear(): void; pause: (isPaused: boolean) => void };
  data: {
    accounts(page: Page): Promise<AccountPage>;
    sessions(page: Page): Promise<SessionPage>;
    expire(tokenId: number): Promise<boolean>;
    revoke(tokenId: number): Promise<boolean>;
    signEveryoneOut(): Promise<number>;
    reset(set: SeedName, seed: number): Promise<{ ok: true } | CopyFailure>;
    canUndo(): boolean;
    undo(): Promise<{ ok: true } | CopyFailure>;
    snapshot(): Promise<{ ok: true } | CopyFailure>;
    snapshots(): { id: string; atMs: number; accounts: number }[];
    restore(id: string): Promise<{ ok: true } | CopyFailure>;
    removeSnapshot(id: string): Promise<{ ok: true } | CopyFailure>;
    seeded(accountId: number): Promise<SeededAnswer>;
    demo(): Promise<DemoAnswer>;
    resetDemo(): Promise<DemoAnswer>;
  };
};

/** The service once its start is over. `message` says why there are no controls. */
export type StartedBuiltIn = { status: BuiltInStatus; close: () => Promise<void> } & (
  | { controls: Controls }
  | { controls?: undefined; message: string }
);
