import { z } from 'zod';
import {
  type AccountListPage,
  BehaviourChange,
  type BehaviourChoices,
  type BuiltInCounts,
  type BuiltInData,
  type ClientProblem,
  ClockPreset,
  type LoggedRequest,
  PageRange,
  type SessionPage,
  type SharedMockStatus,
  SeedSchema,
} from './local-servers.ts';
import {
  type EndedSessions,
  type LogoutAllResult,
  ServerDetails,
  type TokenDetails,
  type WindowState,
  type ConnectionReport,
} from './models.ts';
import { RegistrationPath, Settings } from './settings.ts';
import { FindingId, AcceptedFault, type ReportComparison, type RunPlan } from './report.ts';
import type { RecordedCall, CallSummary } from './calls.ts';
import { callMethods } from './call-methods.ts';
import { byId, method, userText, type Method } from './method.ts';
import {
  type ChecksState,
  type OpenedReport,
  CheckRequest,
  type RunHistory,
  type CheckProgressEvent,
} from './checks.ts';
import { CaseId } from './report-cases.ts';
import type { MockDetails } from './mock-details.ts';
import { reportForms } from './names.ts';
import { codeMethods, type ImportResult, mostImportBytes } from './interface.ts';
import {
  ConnectionInput,
  InterfaceInput,
  type InterfacePreview,
  longestDescription,
  type ShippedInterface,
} from './connection.ts';
import type { ServersFileImport } from './servers-file.ts';
import { type Trial, TrialRequest } from './trial.ts';
import { ImportDraft } from './import-draft.ts';
import type { Result } from './result.ts';
import type { About, Licences, StorageOverview } from './about.ts';
import type { WindowCommand } from './shortcuts.ts';

const { serverId } = ImportDraft.shape;

const byNumber = z.object({ id: z.int().min(0) });

const builtInMethods = {
  /** Starts it once more where it could not be started. */
  start: method(z.void()),
  /** Restarts it with or without the calls about the account itself. */
  setAccountCalls: method(z.object({ on: z.boolean() })),
  choices: method(z.void()).returns<BehaviourChoices>(),
  setBehaviour: method(BehaviourChange),
  accounts: method(PageRange).returns<AccountListPage>(),
  sessions: method(PageRange).returns<SessionPage>(),
  /** Makes one token expire now. `done` is false when the token was gone already. */
  expire: method(byNumber).returns<{ done: boolean }>(),
  /** Removes one token. `done` is false when it was gone already. */
  revoke: method(byNumber).returns<{ done: boolean }>(),
  /** Removes every token, and answers how many there were. */
  revokeAllTokens: method(z.void()).returns<{ ended: number }>(),
  /** Answers the newest request first. */
  requests: method(z.void()).returns<LoggedRequest[]>(),
  /** Forgets the requests, and what clients did wrong. */
  clearRequests: method(z.void()).returns<LoggedRequest[]>(),
  /** Answers what clients did wrong, as far as the server can see it. */
  clientReport: method(z.void()).returns<ClientProblem[]>(),
  /** Moves the clock of the built-in server. It is back at the next start. */
  moveClock: method(z.object({ to: ClockPreset })),
  counts: method(z.void()).returns<BuiltInCounts>(),
  data: method(z.void()).returns<BuiltInData>(),
  /** Replaces everything that the built-in server holds with a set of accounts. Undo brings the rest back. */
  reset: method(z.object({ set: SeedSchema, seed: z.int().min(0).max(4_294_967_295) })).returns<BuiltInData>(),
  /** Restores what the last reset replaced. */
  undo: method(z.void()).returns<BuiltInData>(),
} as const;

/** Made-up people at the built-in server, whose passwords nobody types. */
const demoMethods = {
  /** Makes the built-in server the active one, and signs in there as the demo person. */
  start: method(z.void()),
  /** Ends every session of the demo person, logs in again, and answers the session that began. Other accounts stay. */
  reset: method(z.void()).returns<{ id: string }>(),
  /** Signs in as an account of a set, by its id. */
  logInAs: method(byNumber),
  /** Begins a login of the demo person with a second factor, which the built-in server asks for with account calls. */
  startWithCode: method(z.void()),
  /** Answers the current code of that person; nothing for any other login. */
  code: method(z.void()).returns<{ code?: string | undefined; secondsLeft?: number | undefined }>(),
} as const;

/** Mock servers on this computer, generated from the check of a server. */
const mockMethods = {
  /**
   * Creates a mock of a server from its last check, or checks it first. Returns the id of the mock server once that runs;
   * its verification goes on.
   */
  create: method(z.object({ serverId: byId.shape.id, measure: z.boolean() })).returns<{ id: string }>(),
  /** Checks the original again, and generates the mock from that. Its accounts stay. */
  recheck: method(byId).returns<{ id: string }>(),
  /** Cancels the creation or recheck of a mock, and forgets why one failed. */
  cancel: method(z.void()),
  /** Verifies a mock against its original again. */
  compare: method(byId),
  start: method(byId),
  stop: method(byId),
  details: method(byId).returns<MockDetails>(),
  /** The clock is back at the next start. */
  moveClock: method(byId.extend({ to: ClockPreset })),
  setBehaviour: method(byId.extend({ change: BehaviourChange.omit({ dialect: true }) })),
  /** Asks for the file with the system's own dialog. `exported` is false when none was chosen. */
  exportModel: method(byId).returns<{ exported: boolean }>(),
  /**
   * Writes a report of one finding into a file that it asks for, with the model of the server in it. Without a number it
   * is one of the last run of the server.
   */
  shareFinding: method(
    z.object({ serverId: byId.shape.id, number: z.int().min(0).optional(), findingId: FindingId }),
  ).returns<{ exported: false } | { exported: true; model: SharedMockStatus }>(),
  /** Creates a mock server from a file. The id is absent if none was chosen in the system dialog. */
  importModel: method(z.void()).returns<{ id?: string | undefined }>(),
} as const;

const id = z.string().max(100);

const ofServer = z.object({ serverId: id });
/** It names the report of a run of this server, which is the last one without a number. */
const ofReport = ofServer.extend({ number: z.int().min(0).optional() });
const ofKeptRun = ofReport.required();
/** It names something that may be accepted, such as `finding:plain-http`. */
const ofFault = ofReport.extend({ fault: id });

const checkMethods = {
  state: method(z.void()).returns<ChecksState>(),
  /** Answers the most that a run with these options sends to the server, and to the one that it is compared with. */
  plan: method(CheckRequest).returns<RunPlan>(),
  /** Answers once the run is under way. For production it is refused before anything is sent. */
  start: method(CheckRequest).returns<ChecksState>(),
  /** Ends the run. Its report says so. */
  cancel: method(z.void()).returns<ChecksState>(),
  /** Measures one case of a server's last run once more. */
  rerunCase: method(ofServer.extend({ caseId: CaseId })).returns<ChecksState>(),
  /** Answers one call of a report, without its secrets. */
  evidence: method(ofReport.extend({ id })).returns<RecordedCall>(),
  /** Puts the command that repeats a call into the clipboard, with variables where its secrets were. */
  copyCommand: method(ofReport.extend({ id })).returns<{ copied: boolean }>(),
  /** Puts the script of a finding into the clipboard. */
  copyScript: method(ofReport.extend({ findingId: FindingId })).returns<{ copied: boolean }>(),
  /** Asks for the file with the system's own dialog. `exported` is false when none was chosen. */
  exportFile: method(ofReport.extend({ form: z.enum(reportForms) })).returns<{ exported: boolean }>(),
  /** Compares the report with that of another server or run, by meaning. */
  compare: method(ofReport.extend({ otherId: id, otherNumber: ofReport.shape.number })).returns<ReportComparison>(),
  /** Compares the last run of a server with what the runs before it have taught. */
  changes: method(ofServer).returns<ReportComparison>(),
  /** Compares the report with one in a file, which it asks for. Nothing is compared when none was chosen. */
  compareFile: method(ofReport).returns<{ comparison?: ReportComparison | undefined }>(),
  /** Writes the last comparison as Markdown into a file, which it asks for. `exported` is false when none was chosen. */
  exportComparison: method(z.void()).returns<{ exported: boolean }>(),
  /** Answers the report of an earlier run. */
  open: method(ofKeptRun).returns<OpenedReport>(),
  /** Keeps the report of a run whatever comes after it, or lets it go with the others of its age. */
  pin: method(ofKeptRun.extend({ pinned: z.boolean() })).returns<ChecksState>(),
  /** Deletes the report of a run. The history keeps what the run changed. */
  deleteReport: method(ofReport).returns<ChecksState>(),
  /** Answers what the runs of a server have taught over time. */
  history: method(ofServer).returns<RunHistory>(),
  /** Accepts a broken rule or a finding of a report, instead of what was accepted of it before. */
  accept: method(ofFault.extend({ reason: AcceptedFault.shape.reason })).returns<ChecksState>(),
  /** Lets it count again. */
  withdrawAcceptance: method(ofFault.omit({ number: true })).returns<ChecksState>(),
};

/** Whether the session may outlive the application. When it is absent, the session may. */
const remember = z.boolean().optional();

/**
 * A field of the profile. `rest` are those that the interface does not know, by their place. Of what is within one, `at` are
 * the indices that lead there.
 */
const byField = z.object({
  of: z.enum(['known', 'rest']),
  field: userText,
  at: z.array(z.int().min(0)).max(100).optional(),
});

export const LoginCredentials = z.object({
  email: userText,
  password: userText,
  remember,
  /** For servers that take the code of a second factor with the login. */
  code: userText.optional(),
});
export type LoginCredentials = z.infer<typeof LoginCredentials>;

export const Registration = z.object({
  path: RegistrationPath,
  name: userText,
  email: userText,
  username: userText.optional(),
  password: userText,
  /** It is sent to `/register` only. */
  cpassword: userText,
  remember,
});
export type Registration = z.infer<typeof Registration>;

/** What came of a registration that made an account. Where nobody is logged in, the state's notice says why. */
export type RegistrationResult = 'logged-in' | 'not-logged-in';

/** A server as the form has it. */
export const ServerInput = ServerDetails.extend({
  address: userText,
  /** It is absent for the built-in server, which has no connection to choose. */
  enteredConnection: ConnectionInput.optional(),
  /** It is absent where the interface stays as it is. A server that runs here has none to choose. */
  enteredInterface: InterfaceInput.optional(),
});
export type ServerInput = z.infer<typeof ServerInput>;

export const FilePurpose = z.enum(['authority', 'certificate', 'key', 'pfx', 'pac']);
export type FilePurpose = z.infer<typeof FilePurpose>;

/** A PIN may have any characters. Its length counts UTF-16 units. */
const pinLength = { least: 4, most: 64 } as const;
const NewPin = z.string().min(pinLength.least).max(pinLength.most);

/**
 * Everything that the window can ask of main. Nothing else crosses, except the `events` below. A method answers what
 * comes of it and no state: the event `app.changed` with the new one arrives before the answer.
 */
export const contract = {
  app: {
    /** Answers the state that the window begins with. */
    state: method(z.void(), { whileLocked: true }).returns<WindowState>(),
    /** Says that the first frame is on the screen. */
    painted: method(z.void(), { whileLocked: true }).returns<Record<string, never>>(),
    /** Brings the window to the front, and with it the question of the system that belongs to it. */
    showQuestion: method(z.void()),
    about: method(z.void()).returns<About>(),
    /** Answers the licences of everything that is part of the application. */
    licences: method(z.void()).returns<Licences>(),
  },
  session: {
    /** Logs in. A server may ask for a code: then the state has a `pendingLogin` afterwards. */
    login: method(LoginCredentials),
    /** Registers, and uses the token of the answer. Without one, or if it is refused, logs in once. Fails where no account was made. */
    register: method(Registration).returns<RegistrationResult>(),
    /** Asks for the profile with a pasted token, and makes a session of it. Nothing changes where the server refuses it. */
    adoptToken: method(z.object({ token: userText, remember })),
    /** Shows the log-in form. The sessions of the server stay. */
    addAccount: method(z.void()),
    /** Ends the login, registration, check or logout that is under way. */
    cancel: method(z.void()),
    /** Sends the code of the pending login. */
    sendCode: method(z.object({ method: z.enum(codeMethods), code: userText })),
    /** Has the server send a code for the pending login. */
    requestCode: method(z.object({ method: z.enum(codeMethods) })),
    /** Gives up the pending login. */
    cancelCode: method(z.void()),
    /** Has the active server send an email to reset the password. Its response is in the recorded calls alone. */
    forgotPassword: method(z.object({ account: userText })),
    /** Has the active server send the email that confirms an account once more. */
    resendConfirmation: method(z.object({ account: userText })),
  },
  /** Each acts on one session of this application, whichever is shown. */
  sessions: {
    /** Shows the session, and its server. */
    choose: method(byId),
    /**
     * Asks the server whether the session is still valid. Fails with what kept it from being confirmed; if the session
     * is shown, the state says the same.
     */
    check: method(byId),
    /** Answers what the token says of itself. The token stays in main. */
    token: method(byId).returns<TokenDetails>(),
    /** Puts the token, or the header that carries it, into the clipboard, once the person agreed in the system's own dialog. */
    copyToken: method(byId.extend({ as: z.enum(['token', 'header']) })).returns<{ copied: boolean }>(),
    /** Ends the session here in any case, and tells the server of it if asked to. */
    logout: method(byId.extend({ tellServer: z.boolean() })),
    /**
     * Changes the password of the session's account. `ended` says whether the server ended the session with it.
     */
    changePassword: method(byId.extend({ password: userText, newPassword: userText })).returns<{ ended: boolean }>(),
    /** Deletes the account of the session at its server. `typed` must be the session's account. */
    deleteAccount: method(byId.extend({ typed: userText, password: userText })),
    /** Removes the session with its token. The server is not told. */
    forget: method(byId),
    /** Tells the server of a logout that it was not told of. */
    revoke: method(byId),
    /** Ends every session here at once, and tells each server of it. Those that are away are told later. */
    logoutEverywhere: method(z.void()).returns<LogoutAllResult>(),
    /**
     * Logs in at a server with an account whose session there is near its end or past it. The new session takes the
     * place of those, and the person stays where they are. A server may ask for a code first.
     */
    logInAgain: method(LoginCredentials.extend({ serverId: byId.shape.id })),
  },
  /** What the server sent of the person on the screen, without its secrets. */
  profile: {
    /** Puts the whole value of one field into the clipboard. */
    copy: method(byField).returns<{ copied: boolean }>(),
    /** Opens a value that is a page or a mail address (`outsideLink`), once the person agreed in the system's own dialog. */
    open: method(byField).returns<{ opened: boolean }>(),
    /** Answers the beginning of what the server sent, as JSON with `null` for each secret, and the places of those. */
    rawResponse: method(z.void()).returns<{ text?: string | undefined; leftOut: string[] }>(),
    /** Answers a picture of the profile, by its place, as a `data:` address, which is absent once the picture is gone. */
    picture: method(z.object({ place: userText })).returns<{ address?: string | undefined }>(),
    /** Writes what the server sent, whole, to a JSON file for which the system's own dialog asks. */
    exportFile: method(z.void()).returns<{ exported: boolean }>(),
  },
  servers: {
    /** Makes the server at this address the active one. A new address becomes a new server, once the person agreed to it. */
    chooseAddress: method(z.object({ address: userText })),
    /** Makes the server the active one. */
    choose: method(byId),
    create: method(ServerInput).returns<{ id: string }>(),
    /** Another proxy, certificate or authority, and another address where there are sessions, is asked about with the system's own dialog. */
    edit: method(ServerInput.extend({ id: byId.shape.id })).returns<EndedSessions>(),
    /** Answers the id of the copy. */
    duplicate: method(byId).returns<{ id: string }>(),
    /** Moves the server one place up or down, and answers its place in the list, from 1 on. */
    move: method(byId.extend({ by: z.literal([-1, 1]) })).returns<{ place: number }>(),
    /** Removes the server with its sessions and tokens. The built-in one cannot be removed. */
    remove: method(byId),
    /**
     * Lets web pages of these origins use a server that runs here, from the next request on. One that is no exact origin
     * changes nothing.
     */
    allowOrigins: method(byId.extend({ origins: z.array(z.string().max(300)).max(20) })),
    /** Takes the host of a production server as it was typed. */
    confirmProduction: method(byId.extend({ host: userText })),
    /**
     * Trusts the certificate that the last call to this server was refused for, instead of any that was trusted before.
     * The system's own dialog asks.
     */
    trust: method(byId),
    /** Trusts again what the system trusts, and nothing else. The system's own dialog asks. */
    distrust: method(byId),
    /** Looks what answers at an address, over the connection as it is typed now, once the person agreed to both. */
    test: method(
      ServerInput.pick({ address: true, enteredConnection: true, enteredInterface: true }).extend({
        id: byId.shape.id.optional(),
      }),
    ).returns<ConnectionReport>(),
    /** Ends every test that is under way. */
    cancelTest: method(z.void()).returns<Record<string, never>>(),
    /** Opens the address of the active server in the person's browser, once the system's own dialog was answered. */
    openInBrowser: method(z.void()).returns<{ opened: boolean }>(),
    /**
     * Asks for a file of a connection with the system's own dialog. The file is absent when none was chosen. That of a
     * script (`pac`) is answered as a `file:` address.
     */
    chooseFile: method(z.object({ purpose: FilePurpose })).returns<{ file?: string | undefined }>(),
    /**
     * Imports a servers file that the user chooses in the system's own dialog, after one question of main. A server of the
     * same name is changed, any other is added. `again` imports the file for which a host of production was asked.
     */
    importFile: method(z.object({ again: z.boolean() })).returns<ServersFileImport>(),
    /** Asks for the file with the system's own dialog. */
    exportFile: method(z.void()),
  },
  /** Descriptions of interfaces. Setting one is a part of editing a server. */
  interfaces: {
    /** Reads the text of a description; an empty one stands for Llavero's own. Nothing is kept of it. */
    read: method(z.object({ text: z.string().max(longestDescription) })).returns<InterfacePreview>(),
    /** Those that come with the application. */
    shipped: method(z.void()).returns<ShippedInterface[]>(),
    /** The description of a server as it was given; absent where that has Llavero's own interface. */
    textOf: method(byId).returns<{ text?: string | undefined }>(),
    /**
     * Registers if wanted, logs in, reads the profile, renews and logs out by a description at its server, each once, and
     * answers how each call went and which changes of the description would mend it. A new place and an account that
     * will be made are asked about with the system's own dialog, and the host is asked for at production. Nothing is
     * kept of it but its recorded calls.
     */
    runTrial: method(TrialRequest).returns<Trial>(),
    /** Ends the trial that is under way. A session that it made is ended at the server all the same. */
    cancelTrial: method(z.void()).returns<Record<string, never>>(),
    /** What was found for a server, or for a new one, and is not used yet. */
    importDraft: method(z.object({ serverId })).returns<{ found?: ImportDraft | undefined }>(),
    /** Takes an {@link ImportDraft} as JSON. Any other text is not kept. */
    saveImportDraft: method(z.object({ json: z.string().max(4 * longestDescription) })),
    discardImportDraft: method(z.object({ serverId })),
    /** Looks for the five calls in a pasted command or document. Nothing of it is kept. */
    find: method(z.object({ text: z.string().max(mostImportBytes) })).returns<ImportResult>(),
    /**
     * The same in a file or in the folder of a collection, for which it asks with the system's own dialog. It answers
     * nothing where none was chosen, and the text alone of what is a description itself. `name` is that of the file.
     */
    findInFile: method(z.object({ what: z.enum(['file', 'folder']) })).returns<{
      finding?: ImportResult | undefined;
      description?: string | undefined;
      name?: string | undefined;
    }>(),
  },
  calls: callMethods,
  vault: {
    /** Asks the system's secret store again. */
    retry: method(z.void()),
  },
  lock: {
    now: method(z.void(), { whileLocked: true }),
    /** Needs the PIN if one is set. */
    unlock: method(z.object({ pin: userText.optional() }), { whileLocked: true }),
    /** Removes every session of this computer where the PIN is forgotten, and opens. No server can be told. */
    resetForgottenPin: method(z.void(), { whileLocked: true }),
    /** Sets a PIN, or changes it. The current one is needed if there is one. */
    setPin: method(z.object({ pin: NewPin, current: userText.optional() })),
    removePin: method(z.object({ current: userText })),
  },
  builtIn: builtInMethods,
  demo: demoMethods,
  mocks: mockMethods,
  checks: checkMethods,
  storage: {
    overview: method(z.void()).returns<StorageOverview>(),
    /** Answers a text that helps to find a fault. There is no secret in it. */
    diagnostics: method(z.void()).returns<{ text: string }>(),
    copyDiagnostics: method(z.void()).returns<{ copied: boolean }>(),
    /** Asks with the system's own dialog, erases, and ends the application. It answers only after a refusal. */
    eraseEverything: method(z.void()).returns<{ erased: false }>(),
  },
  /** Updates of Llavero. The window cannot choose the feed. */
  updates: {
    check: method(z.void()),
    download: method(z.void()),
    /** Ends the check or the download. */
    cancel: method(z.void()),
    /** Asks with the system dialog, installs the download, and restarts Llavero. */
    install: method(z.void()),
  },
  settings: {
    /** While the application is locked, only language and theme can be changed. */
    change: method(Settings.partial(), { whileLocked: true }),
  },
} as const;

type Contract = typeof contract;

/** The name of a method, as `group.method`. It is also the channel on which it crosses. */
export type MethodName = { [G in keyof Contract]: `${G}.${keyof Contract[G] & string}` }[keyof Contract];

/** The window's side: no call rejects. */
export type Api = {
  [G in keyof Contract]: {
    [K in keyof Contract[G]]: Contract[G][K] extends Method<infer I, infer O>
      ? (input: z.input<I>) => Promise<Result<O>>
      : never;
  };
};

type Events = {
  'app.changed': WindowState;
  /** The person chose what the window does in a native menu. */
  'app.command': WindowCommand;
  /** Nobody has used the application for a while. The preload script takes this, not the page. */
  'app.idle': null;
  /** The result of one call, by the id that the preload script gave it. The script takes this, not the page. */
  'app.answered': { id: unknown; result: unknown };
  'call.recorded': CallSummary;
  /** How many calls are kept, after that has changed. */
  'calls.counted': number;
  /** The built-in server answered a request. The window asks for the requests when it shows them. */
  'builtIn.requested': null;
  'checks.progressed': CheckProgressEvent;
};

export type EventName = keyof Events;
export type EventPayload<N extends EventName> = Events[N];

/** Main's implementations. Their inputs are parsed. */
export type Handlers = {
  [G in keyof Contract]: {
    [K in keyof Contract[G]]: Contract[G][K] extends Method<infer I, infer O>
      ? (input: z.output<I>) => Result<O> | Promise<Result<O>>
      : never;
  };
};
