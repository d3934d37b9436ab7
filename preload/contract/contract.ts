import { z } from 'zod';
import { CaseId, ReportComparison, RunOptions, RunPlan } from './contract-report.ts';
import { EnteredConnection, Fingerprint } from './connection.ts';
import { ContractRuns, WantedRun } from './contract-runs.ts';
import { reportForms } from './report-forms.ts';
import {
  CommandForm,
  ExportForm,
  CallFilter,
  CallLimits,
  CallPage,
  CallSummary,
  RecordedCall,
  ReplayChange,
  ReplayOutcome,
} from './calls.ts';
import { AppState, ConnectionReport, ServerDetails, RegistrationPath, Settings, WindowState } from './models.ts';
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
} from './built-in-server.ts';
import { StorageOverview } from './storage.ts';

const method = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output });

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
export const EnteredServer = ServerDetails.extend({
  address: typed,
  enteredConnection: EnteredConnection.optional(),
});
export type EnteredServer = z.infer<typeof EnteredServer>;

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
/** The last report of a server. */
const ofReport = z.object({ serverId: byId.shape.id });

/** The whole surface between renderer and main. Nothing else crosses. */
export const contract = {
  app: {
    state: method(z.void(), WindowState),
    /** Told once the first frame is on the screen. */
    painted: method(z.void(), z.object({})),
  },
  session: {
    login: method(Credentials, AppState),
    /** Registers, then uses the token of the answer; logs in exactly once if there is none, or it is refused. */
    register: method(Registration, AppState),
    /** Asks the server again who is logged in. */
    check: method(z.void(), AppState),
    /** Ends the session here in any case, and tells the server of it if asked to. */
    logout: method(z.object({ tellServer: z.boolean() }), AppState),
    /** Shows the log-in form; the sessions of the server stay. */
    addAccount: method(z.void(), AppState),
    /** Ends whatever login, registration, check or logout is under way. */
    cancel: method(z.void(), AppState),
  },
  /** Any session this application holds, by its id. */
  sessions: {
    /** Shows it, and its server. */
    use: method(byId, AppState),
    check: method(byId, AppState),
    logout: method(byId.extend({ tellServer: z.boolean() }), AppState),
    /** Removes it with its token; the server is not told. */
    forget: method(byId, AppState),
    /** Tells the server of a logout that it was not told of. */
    revoke: method(byId, AppState),
  },
  servers: {
    /** Makes the server at this address the active one; a new address becomes a new server. */
    useAddress: method(z.object({ address: typed }), AppState),
    use: method(byId, AppState),
    create: method(EnteredServer, AppState),
    edit: method(EnteredServer.extend({ id: byId.shape.id }), AppState),
    duplicate: method(byId, AppState),
    /** Moves it one place up or down. */
    move: method(byId.extend({ by: z.literal([-1, 1]) }), AppState),
    /** Removes it with its sessions and tokens. The built-in one stays. */
    remove: method(byId, AppState),
    /** Takes the host of a production server as typed. */
    confirmProduction: method(byId.extend({ host: typed }), AppState),
    /** Trusts one certificate for the server of one server, instead of any it trusted before. */
    trust: method(byId.extend({ sha256: Fingerprint }), AppState),
    /** Back to the authorities that the system trusts. */
    distrust: method(byId, AppState),
    /** Looks what answers at an address, over the connection as it is typed now. */
    test: method(
      byId.partial().extend({ address: typed, enteredConnection: EnteredConnection.optional() }),
      ConnectionReport,
    ),
    /** Ends every look at an address that is under way. */
    cancelTest: method(z.void(), z.object({})),
    /** Opens the address of the active server in the person's browser, once the system's own dialog was answered. */
    openInBrowser: method(z.void(), z.object({ opened: z.boolean() })),
    /** Asks for a file of a connection with the system's own dialog; the path is absent when none was chosen. */
    chooseFile: method(z.object({ purpose: FilePurpose }), z.object({ file: z.string().optional() })),
    /** Both ask for the file with the system's own dialog; choosing none changes nothing. */
    importFile: method(z.void(), AppState),
    exportFile: method(z.void(), AppState),
  },
  /** What went over the wire, without its secrets. */
  calls: {
    list: method(z.object({ filter: CallFilter, offset: z.int().min(0) }), CallPage),
    get: method(byId, RecordedCall),
    pin: method(byId.extend({ pinned: z.boolean() }), CallSummary),
    /** Puts the request into the clipboard as a command; `full` with its secrets, once the person confirmed it. */
    copy: method(
      byId.extend({ form: CommandForm, secrets: z.enum(['variables', 'full']) }),
      z.object({ copied: z.boolean(), missing: z.int() }),
    ),
    /** Both ask for the file with the system's own dialog; the number is absent when none was chosen. */
    exportFile: method(z.object({ filter: CallFilter, form: ExportForm }), z.object({ exported: z.int().optional() })),
    importHar: method(z.void(), z.object({ imported: z.int().optional(), skipped: z.int() })),
    /** The changes with which its request can be replayed now, also when nothing is changed; fails when it cannot be. */
    replayChanges: method(byId, z.object({ changes: z.array(ReplayChange) })),
    /**
     * Sends its request once more, as it was or with one change, and answers the record of that. `secrets` are typed
     * ones by the ids of the references that were missing. No session comes of it, or ends here by it.
     */
    replay: method(byId.extend({ change: ReplayChange.optional(), secrets: typedSecrets.optional() }), ReplayOutcome),
    /** Ends a replay that is under way. */
    cancelReplay: method(z.void(), z.null()),
    /** Removes all, or those of one server. */
    clear: method(z.object({ serverId: byId.shape.id.optional(), pinnedToo: z.boolean() }), CallPage),
    /** What is kept at most. */
    limits: method(z.void(), CallLimits),
    /** Holds from the next call on. */
    setLimits: method(CallLimits, CallLimits),
  },
  vault: {
    /** Asks the system's secret store again. */
    retry: method(z.void(), AppState),
  },
  /** While it is locked, every call but these, `app.state` and a change of language or theme is refused. */
  lock: {
    now: method(z.void(), WindowState),
    /** The PIN is needed if one is set. */
    unlock: method(z.object({ pin: typed.optional() }), WindowState),
    /** Sets a PIN, or changes it; the current one is needed if there is one. */
    setPin: method(z.object({ pin: NewPin, current: typed.optional() }), AppState),
    removePin: method(z.object({ current: typed }), AppState),
  },
  /** The embedded service as a service that misbehaves, and what it holds. */
  builtIn: {
    choices: method(z.void(), BehaviourChoices),
    behave: method(BehaviourChange, AppState),
    accounts: method(Page, AccountPage),
    sessions: method(Page, SessionPage),
    /** Both of one token; `done` is false when it was not there any more. */
    expire: method(byNumber, z.object({ done: z.boolean() })),
    revoke: method(byNumber, z.object({ done: z.boolean() })),
    signEveryoneOut: method(z.void(), z.object({ ended: z.int() })),
    /** The newest first. */
    requests: method(z.void(), z.array(LoggedRequest)),
    clearRequests: method(z.void(), z.array(LoggedRequest)),
    copies: method(z.void(), Copies),
    /** Puts a set of accounts in the place of all there is, which undo brings back. */
    reset: method(z.object({ set: SeedName, seed: z.int().min(0).max(4_294_967_295) }), Copies),
    undo: method(z.void(), Copies),
    snapshot: method(z.void(), Copies),
    /** Puts a snapshot in the place of all there is, which undo brings back. */
    restore: method(byId, Copies),
    /** For good. */
    removeSnapshot: method(byId, Copies),
  },
  /** Made-up people at the embedded service, whose passwords nobody types. */
  demo: {
    /** Signs in as the demo person at the embedded service, whichever server is the active one. */
    start: method(z.void(), AppState),
    /** Ends every session of the demo person, and begins anew. Other accounts stay. */
    reset: method(z.void(), AppState),
    /** Signs in as a seeded account of the embedded service, by its id. */
    signInAs: method(byNumber, AppState),
  },
  /** The contract run: what a server does where the interface is silent, and whether it keeps to it. */
  contractRun: {
    state: method(z.void(), ContractRuns),
    /** The most that a run with these options sends. */
    plan: method(RunOptions, RunPlan),
    /** Answers once it is under way; refused for production before anything is sent. */
    start: method(WantedRun, ContractRuns),
    /** Ends it; its report says so. */
    cancel: method(z.void(), ContractRuns),
    /** Measures one case of a server's last run anew. */
    again: method(ofReport.extend({ caseId: CaseId }), ContractRuns),
    /** One call of a report, without secrets. */
    evidence: method(ofReport.extend({ id: byId.shape.id }), RecordedCall),
    /** Puts the command that repeats it into the clipboard, with variables where secrets were. */
    copy: method(ofReport.extend({ id: byId.shape.id }), z.object({ copied: z.boolean() })),
    /** Asks for the file with the system's own dialog; false when none was chosen. */
    exportFile: method(ofReport.extend({ form: z.enum(reportForms) }), z.object({ exported: z.boolean() })),
    /** What differs by meaning from the report of another server. */
    compare: method(ofReport.extend({ otherId: byId.shape.id }), ReportComparison),
    /** The same with a report in a file, which is asked for; absent when none was chosen. */
    compareFile: method(ofReport, z.object({ comparison: ReportComparison.optional() })),
  },
  /** What rests on this computer. */
  storage: {
    overview: method(z.void(), StorageOverview),
    /** For whoever looks into a fault; without secrets. */
    diagnostics: method(z.void(), z.object({ text: z.string() })),
    copyDiagnostics: method(z.void(), z.object({ copied: z.boolean() })),
    /** Asks with the system's own dialog, erases, and ends the application; answers only when the person did not agree. */
    eraseEverything: method(z.void(), z.object({ erased: z.literal(false) })),
  },
  settings: {
    change: method(Settings.partial(), WindowState),
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
