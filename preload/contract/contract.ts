import { z } from 'zod';
import { CaseId, ReportComparison, RunOptions, RunPlan } from './conformance.ts';
import { EnteredConnection, Fingerprint } from './connection.ts';
import { ContractRuns, ReportForm, WantedRun } from './contract-runs.ts';
import {
  CommandForm,
  ExportForm,
  ExchangeFilter,
  ExchangeLimits,
  ExchangePage,
  ExchangeSummary,
  RecordedExchange,
  ReplayChange,
  ReplayOutcome,
} from './exchanges.ts';
import { AppState, ConnectionReport, EnvironmentDetails, RegistrationPath, Settings, WindowState } from './models.ts';
import type { Result } from './result.ts';
import {
  AccountPage,
  BehaviourChange,
  BehaviourChoices,
  Copies,
  LoggedRequest,
  Page,
  SeedName,
  SessionPage,
} from './service.ts';
import { StorageOverview } from './storage.ts';

const call = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output });

/**
 * Larger than anything a form needs, small enough that a runaway page cannot fill main's memory.
 * What a field may hold is for the server to say: the client sends what was typed.
 */
const typed = z.string().max(65_536);

/** Whether the session may outlive the application; absent, it may. */
const remember = z.boolean().optional();

export const Credentials = z.object({ email: typed, password: typed, remember });
export type Credentials = z.infer<typeof Credentials>;

export const Registration = z.object({
  path: RegistrationPath,
  name: typed,
  email: typed,
  password: typed,
  /** Sent to `/register` only. */
  cpassword: typed,
  remember,
});
export type Registration = z.infer<typeof Registration>;

/** The embedded service has no connection to choose. */
export const EnteredEnvironment = EnvironmentDetails.extend({
  address: typed,
  enteredConnection: EnteredConnection.optional(),
});
export type EnteredEnvironment = z.infer<typeof EnteredEnvironment>;

export const FilePurpose = z.enum(['authority', 'certificate', 'key', 'pfx']);
export type FilePurpose = z.infer<typeof FilePurpose>;

/** Any characters, counted as UTF-16 does. */
export const pinLength = { least: 4, most: 64 } as const;
const NewPin = z.string().min(pinLength.least).max(pinLength.most);

const byId = z.object({ id: z.string().max(100) });
/** By the ids of the references they stand for; a call has a handful. */
const mostSecrets = 50;
const typedSecrets = z
  .record(byId.shape.id, typed)
  .refine((secrets) => Object.keys(secrets).length <= mostSecrets)
  .meta({ maxProperties: mostSecrets });

const byNumber = z.object({ id: z.int().min(0) });
/** The last report of an environment. */
const ofReport = z.object({ environmentId: byId.shape.id });

/** The whole surface between renderer and main. Nothing else crosses. */
export const contract = {
  app: {
    state: call(z.void(), WindowState),
    /** Told once the first frame is on the screen. */
    painted: call(z.void(), z.object({})),
  },
  session: {
    login: call(Credentials, AppState),
    /** Registers, then uses the token of the answer; logs in exactly once if there is none, or it is refused. */
    register: call(Registration, AppState),
    /** Asks the server again who is logged in. */
    check: call(z.void(), AppState),
    /** Ends the session here in any case, and tells the server of it if asked to. */
    logout: call(z.object({ tellServer: z.boolean() }), AppState),
    /** Shows the log-in form; the sessions of the environment stay. */
    addAccount: call(z.void(), AppState),
    /** Ends whatever login, registration, check or logout is under way. */
    cancel: call(z.void(), AppState),
  },
  /** Any session this application holds, by its id. */
  sessions: {
    /** Shows it, and its environment. */
    use: call(byId, AppState),
    check: call(byId, AppState),
    logout: call(byId.extend({ tellServer: z.boolean() }), AppState),
    /** Removes it with its token; the server is not told. */
    forget: call(byId, AppState),
    /** Tells the server of a logout that it was not told of. */
    revoke: call(byId, AppState),
  },
  environments: {
    /** Makes the server at this address the active one; a new address becomes a new environment. */
    useAddress: call(z.object({ address: typed }), AppState),
    use: call(byId, AppState),
    create: call(EnteredEnvironment, AppState),
    edit: call(EnteredEnvironment.extend({ id: byId.shape.id }), AppState),
    duplicate: call(byId, AppState),
    /** Moves it one place up or down. */
    move: call(byId.extend({ by: z.literal([-1, 1]) }), AppState),
    /** Removes it with its sessions and tokens. The built-in one stays. */
    remove: call(byId, AppState),
    /** Takes the host of a production environment as typed. */
    confirmProduction: call(byId.extend({ host: typed }), AppState),
    /** Trusts one certificate for the server of one environment, instead of any it trusted before. */
    trust: call(byId.extend({ sha256: Fingerprint }), AppState),
    /** Back to the authorities that the system trusts. */
    distrust: call(byId, AppState),
    /** Looks what answers at an address, over the connection as it is typed now. */
    test: call(
      byId.partial().extend({ address: typed, enteredConnection: EnteredConnection.optional() }),
      ConnectionReport,
    ),
    /** Ends every look at an address that is under way. */
    cancelTest: call(z.void(), z.object({})),
    /** Opens the address of the active environment in the person's browser, once the system's own dialog was answered. */
    openInBrowser: call(z.void(), z.object({ opened: z.boolean() })),
    /** Asks for a file of a connection with the system's own dialog; the path is absent when none was chosen. */
    chooseFile: call(z.object({ purpose: FilePurpose }), z.object({ file: z.string().optional() })),
    /** Both ask for the file with the system's own dialog; choosing none changes nothing. */
    importFile: call(z.void(), AppState),
    exportFile: call(z.void(), AppState),
  },
  /** What went over the wire, without its secrets. */
  exchanges: {
    list: call(z.object({ filter: ExchangeFilter, offset: z.int().min(0) }), ExchangePage),
    get: call(byId, RecordedExchange),
    pin: call(byId.extend({ pinned: z.boolean() }), ExchangeSummary),
    /** Puts the request into the clipboard as a command; `full` with its secrets, once the person confirmed it. */
    copy: call(
      byId.extend({ form: CommandForm, secrets: z.enum(['variables', 'full']) }),
      z.object({ copied: z.boolean(), missing: z.int() }),
    ),
    /** Both ask for the file with the system's own dialog; the number is absent when none was chosen. */
    exportFile: call(
      z.object({ filter: ExchangeFilter, form: ExportForm }),
      z.object({ exported: z.int().optional() }),
    ),
    importHar: call(z.void(), z.object({ imported: z.int().optional(), skipped: z.int() })),
    /** The changes with which its request can be replayed now, also when nothing is changed; fails when it cannot be. */
    replayChanges: call(byId, z.object({ changes: z.array(ReplayChange) })),
    /**
     * Sends its request once more, as it was or with one change, and answers the record of that. `secrets` are typed
     * ones by the ids of the references that were missing. No session comes of it, or ends here by it.
     */
    replay: call(byId.extend({ change: ReplayChange.optional(), secrets: typedSecrets.optional() }), ReplayOutcome),
    /** Ends a replay that is under way. */
    cancelReplay: call(z.void(), z.null()),
    /** Removes all, or those of one environment. */
    clear: call(z.object({ environmentId: byId.shape.id.optional(), pinnedToo: z.boolean() }), ExchangePage),
    /** What is kept at most. */
    limits: call(z.void(), ExchangeLimits),
    /** Holds from the next exchange on. */
    setLimits: call(ExchangeLimits, ExchangeLimits),
  },
  vault: {
    /** Asks the system's secret store again. */
    retry: call(z.void(), AppState),
  },
  /** While it is locked, every call but these, `app.state` and a change of language or theme is refused. */
  lock: {
    now: call(z.void(), WindowState),
    /** The PIN is needed if one is set. */
    unlock: call(z.object({ pin: typed.optional() }), WindowState),
    /** Sets a PIN, or changes it; the current one is needed if there is one. */
    setPin: call(z.object({ pin: NewPin, current: typed.optional() }), AppState),
    removePin: call(z.object({ current: typed }), AppState),
  },
  /** The embedded service as a sparring partner, and what it holds. */
  service: {
    choices: call(z.void(), BehaviourChoices),
    behave: call(BehaviourChange, AppState),
    accounts: call(Page, AccountPage),
    sessions: call(Page, SessionPage),
    /** Both of one token; `done` is false when it was not there any more. */
    expire: call(byNumber, z.object({ done: z.boolean() })),
    revoke: call(byNumber, z.object({ done: z.boolean() })),
    signEveryoneOut: call(z.void(), z.object({ ended: z.int() })),
    /** The newest first. */
    requests: call(z.void(), z.array(LoggedRequest)),
    clearRequests: call(z.void(), z.array(LoggedRequest)),
    copies: call(z.void(), Copies),
    /** Puts a set of accounts in the place of all there is, which undo brings back. */
    reset: call(z.object({ set: SeedName, seed: z.int().min(0).max(4_294_967_295) }), Copies),
    undo: call(z.void(), Copies),
    snapshot: call(z.void(), Copies),
    /** Puts a snapshot in the place of all there is, which undo brings back. */
    restore: call(byId, Copies),
    /** For good. */
    removeSnapshot: call(byId, Copies),
  },
  /** Made-up people at the embedded service, whose passwords nobody types. */
  demo: {
    /** Signs in as the demo person at the embedded service, whichever environment is the active one. */
    start: call(z.void(), AppState),
    /** Ends every session of the demo person, and begins anew. Other accounts stay. */
    reset: call(z.void(), AppState),
    /** Signs in as a seeded account of the embedded service, by its id. */
    signInAs: call(byNumber, AppState),
  },
  /** The contract run: what a server does where the interface is silent, and whether it keeps to it. */
  conformance: {
    state: call(z.void(), ContractRuns),
    /** The most that a run with these options sends. */
    plan: call(RunOptions, RunPlan),
    /** Answers once it is under way; refused for production before anything is sent. */
    start: call(WantedRun, ContractRuns),
    /** Ends it; its report says so. */
    cancel: call(z.void(), ContractRuns),
    /** Measures one case of an environment's last run anew. */
    again: call(ofReport.extend({ caseId: CaseId }), ContractRuns),
    /** One exchange of a report, without secrets. */
    evidence: call(ofReport.extend({ id: byId.shape.id }), RecordedExchange),
    /** Puts the command that repeats it into the clipboard, with variables where secrets were. */
    copy: call(ofReport.extend({ id: byId.shape.id }), z.object({ copied: z.boolean() })),
    /** Asks for the file with the system's own dialog; false when none was chosen. */
    exportFile: call(ofReport.extend({ form: ReportForm }), z.object({ exported: z.boolean() })),
    /** What differs by meaning from the report of another environment. */
    compare: call(ofReport.extend({ otherId: byId.shape.id }), ReportComparison),
    /** The same with a report in a file, which is asked for; absent when none was chosen. */
    compareFile: call(ofReport, z.object({ comparison: ReportComparison.optional() })),
  },
  /** What rests on this computer. */
  storage: {
    overview: call(z.void(), StorageOverview),
    /** For whoever looks into a fault; without secrets. */
    diagnostics: call(z.void(), z.object({ text: z.string() })),
    copyDiagnostics: call(z.void(), z.object({ copied: z.boolean() })),
    /** Asks with the system's own dialog, erases, and ends the application; answers only when the person did not agree. */
    eraseEverything: call(z.void(), z.object({ erased: z.literal(false) })),
  },
  settings: {
    change: call(Settings.partial(), WindowState),
  },
} as const;

type Contract = typeof contract;

/** What the renderer sees: one async function per call, never a throw. */
export type Api = {
  [G in keyof Contract]: {
    [K in keyof Contract[G]]: Contract[G][K] extends {
      input: infer I extends z.ZodType;
      output: infer O extends z.ZodType;
    }
      ? (input: z.input<I>) => Promise<Result<z.output<O>>>
      : never;
  };
};
