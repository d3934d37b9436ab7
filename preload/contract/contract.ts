import { z } from 'zod';
import { CaseId, ReportComparison, RunOptions, RunPlan } from './conformance.ts';
import { EnteredConnection, Fingerprint } from './connection.ts';
import { ContractRuns, ReportForm, WantedRun } from './contract-runs.ts';
import {
  CommandForm,
  ExportForm,
  ExchangeFilter,
  ExchangePage,
  ExchangeSummary,
  RecordedExchange,
} from './exchanges.ts';
import { AppState, ConnectionReport, EnvironmentDetails, RegistrationPath, Settings } from './models.ts';
import type { Result } from './result.ts';

const call = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output });

/**
 * Larger than anything a form needs, small enough that a runaway page cannot fill main's memory.
 * What a field may hold is for the server to say: the client sends what was typed.
 */
const typed = z.string().max(65_536);

export const Credentials = z.object({ email: typed, password: typed });
export type Credentials = z.infer<typeof Credentials>;

export const Registration = z.object({
  path: RegistrationPath,
  name: typed,
  email: typed,
  password: typed,
  /** Sent to `/register` only. */
  cpassword: typed,
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

const byId = z.object({ id: z.string().max(100) });
/** The last report of an environment. */
const ofReport = z.object({ environmentId: byId.shape.id });

/** The whole surface between renderer and main. Nothing else crosses. */
export const contract = {
  app: {
    state: call(z.void(), AppState),
  },
  session: {
    login: call(Credentials, AppState),
    /** Registers, then uses the token of the answer, or logs in exactly once. */
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
    /** Removes all, or those of one environment. */
    clear: call(z.object({ environmentId: byId.shape.id.optional(), pinnedToo: z.boolean() }), ExchangePage),
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
  settings: {
    change: call(Settings.partial(), AppState),
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
