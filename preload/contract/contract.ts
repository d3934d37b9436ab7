import { z } from 'zod';
import {
  AccountListPage,
  BehaviourChange,
  BehaviourChoices,
  BuiltInCounts,
  BuiltInData,
  ClientProblem,
  ClockPreset,
  LoggedRequest,
  PageRange,
  SeedName,
  SessionPage,
  SharedMockStatus,
} from './local-servers.ts';
import {
  EndedSessions,
  LogoutAllResult,
  ServerDetails,
  TokenDetails,
  WindowState,
  ConnectionReport,
} from './models.ts';
import { RegistrationPath, Settings } from './settings.ts';
import { FindingId, AcceptedFault, ReportComparison, RunPlan } from './report.ts';
import { RecordedCall, CallSummary } from './calls.ts';
import { callMethods } from './call-methods.ts';
import { byId, method, userText, type Method } from './method.ts';
import { ChecksState, OpenedReport, CheckRequest, RunHistory, CheckProgressEvent } from './checks.ts';
import { CaseId } from './report-cases.ts';
import { MockDetails } from './mock-details.ts';
import { reportForms } from './names.ts';
import { ImportResult, mostImportBytes } from './interface.ts';
import {
  ConnectionInput,
  InterfaceInput,
  InterfacePreview,
  longestDescription,
  ShippedInterface,
} from './connection.ts';
import { ServersFilePreview } from './servers-file.ts';
import { Trial, TrialRequest } from './trial.ts';
import { ImportDraft } from './import-draft.ts';
import type { Result } from './result.ts';
import { About, Licences, StorageOverview } from './about.ts';
import { windowCommands } from './shortcuts.ts';

const { serverId } = ImportDraft.shape;

const byNumber = z.object({ id: z.int().min(0) });

/** How the built-in server behaves, what it was asked, and what it holds. */
const builtInMethods = {
  /** Starts it once more where it could not be started. */
  start: method(z.void(), z.null()),
  /** Answers what can be chosen for its behaviour. */
  choices: method(z.void(), BehaviourChoices),
  setBehaviour: method(BehaviourChange, z.null()),
  accounts: method(PageRange, AccountListPage),
  sessions: method(PageRange, SessionPage),
  /** Makes one token expire now. `done` is false when the token was gone already. */
  expire: method(byNumber, z.object({ done: z.boolean() })),
  /** Removes one token. `done` is false when it was gone already. */
  revoke: method(byNumber, z.object({ done: z.boolean() })),
  /** Removes every token, and answers how many there were. */
  revokeAllTokens: method(z.void(), z.object({ ended: z.int() })),
  /** Answers the newest request first. */
  requests: method(z.void(), z.array(LoggedRequest)),
  /** Forgets the requests, and what clients did wrong. */
  clearRequests: method(z.void(), z.array(LoggedRequest)),
  /** Answers what clients did wrong, as far as the server can see it. */
  clientReport: method(z.void(), z.array(ClientProblem)),
  /** Moves the clock of the built-in server. It is back at the next start. */
  moveClock: method(z.object({ to: ClockPreset }), z.null()),
  counts: method(z.void(), BuiltInCounts),
  data: method(z.void(), BuiltInData),
  /** Replaces everything that the built-in server holds with a set of accounts. Undo brings the rest back. */
  reset: method(z.object({ set: SeedName, seed: z.int().min(0).max(4_294_967_295) }), BuiltInData),
  /** Brings back what the last reset or restore replaced. */
  undo: method(z.void(), BuiltInData),
  snapshot: method(z.void(), BuiltInData),
  /** Replaces everything that the built-in server holds with a snapshot. Undo brings the rest back. */
  restore: method(byId, BuiltInData),
  removeSnapshot: method(byId, BuiltInData),
} as const;

/** Made-up people at the built-in server, whose passwords nobody types. */
const demoMethods = {
  /** Makes the built-in server the active one, and signs in there as the demo person. */
  start: method(z.void(), z.null()),
  /** Ends every session of the demo person, logs in again, and answers the session that began. Other accounts stay. */
  reset: method(z.void(), byId),
  /** Signs in as an account of a set, by its id. */
  logInAs: method(byNumber, z.null()),
} as const;

/** Doubles: servers that were measured, and are imitated on this computer. */
const mockMethods = {
  /**
   * Makes a double of a server from its last run, or measures it first. Answers the id of the double once that runs; the
   * comparison with its original goes on.
   */
  create: method(z.object({ serverId: byId.shape.id, measure: z.boolean() }), z.object({ id: z.string() })),
  /** Measures the original of a double again, and learns the double from that. Its accounts stay. */
  recheck: method(byId, z.object({ id: z.string() })),
  /** Ends what is under way of a double that is being made or measured again, and forgets why one failed. */
  cancel: method(z.void(), z.null()),
  /** Compares a double with its original once more. */
  compare: method(byId, z.null()),
  start: method(byId, z.null()),
  stop: method(byId, z.null()),
  details: method(byId, MockDetails),
  /** Moves the clock of a double. It is back at the next start. */
  moveClock: method(byId.extend({ to: ClockPreset }), z.null()),
  setBehaviour: method(byId.extend({ change: BehaviourChange.omit({ dialect: true }) }), z.null()),
  /** Asks for the file with the system's own dialog. `exported` is false when none was chosen. */
  exportModel: method(byId, z.object({ exported: z.boolean() })),
  /**
   * Writes a report of one finding into a file that it asks for, with the model of the server in it. Without a number it
   * is one of the last run of the server.
   */
  shareFinding: method(
    z.object({ serverId: byId.shape.id, number: z.int().min(0).optional(), findingId: FindingId }),
    z.discriminatedUnion('exported', [
      z.object({ exported: z.literal(false) }),
      z.object({ exported: z.literal(true), model: SharedMockStatus }),
    ]),
  ),
  /** Makes a double from a file, for which the system's own dialog asks. The id is absent when none was chosen. */
  importModel: method(z.void(), z.object({ id: z.string().optional() })),
} as const;

const id = z.string().max(100);

const ofServer = z.object({ serverId: id });
/** It names the report of a run of this server, which is the last one without a number. */
const ofReport = ofServer.extend({ number: z.int().min(0).optional() });
const ofKeptRun = ofReport.required();
/** It names something that may be accepted, such as `finding:plain-http`. */
const ofFault = ofReport.extend({ fault: id });

/** What the window can ask of main about contract runs. */
const checkMethods = {
  state: method(z.void(), ChecksState),
  /** Answers the most that a run with these options sends to the server, and to the one that it is compared with. */
  plan: method(CheckRequest, RunPlan),
  /** Answers once the run is under way. For production it is refused before anything is sent. */
  start: method(CheckRequest, ChecksState),
  /** Ends the run. Its report says so. */
  cancel: method(z.void(), ChecksState),
  /** Measures one case of a server's last run once more. */
  rerunCase: method(ofServer.extend({ caseId: CaseId }), ChecksState),
  /** Answers one call of a report, without its secrets. */
  evidence: method(ofReport.extend({ id }), RecordedCall),
  /** Puts the command that repeats a call into the clipboard, with variables where its secrets were. */
  copyCommand: method(ofReport.extend({ id }), z.object({ copied: z.boolean() })),
  /** Puts the script of a finding into the clipboard. */
  copyScript: method(ofReport.extend({ findingId: FindingId }), z.object({ copied: z.boolean() })),
  /** Asks for the file with the system's own dialog. `exported` is false when none was chosen. */
  exportFile: method(ofReport.extend({ form: z.enum(reportForms) }), z.object({ exported: z.boolean() })),
  /** Compares the report with that of another server or run, by meaning. */
  compare: method(ofReport.extend({ otherId: id, otherNumber: ofReport.shape.number }), ReportComparison),
  /** Compares the last run of a server with what the runs before it have taught. */
  changes: method(ofServer, ReportComparison),
  /** Compares the report with one in a file, which it asks for. Nothing is compared when none was chosen. */
  compareFile: method(ofReport, z.object({ comparison: ReportComparison.optional() })),
  /** Writes the last comparison as Markdown into a file, which it asks for. `exported` is false when none was chosen. */
  exportComparison: method(z.void(), z.object({ exported: z.boolean() })),
  /** Answers the report of an earlier run. */
  open: method(ofKeptRun, OpenedReport),
  /** Keeps the report of a run whatever comes after it, or lets it go with the others of its age. */
  pin: method(ofKeptRun.extend({ pinned: z.boolean() }), ChecksState),
  /** Deletes the report of a run. The history keeps what the run changed. */
  deleteReport: method(ofReport, ChecksState),
  /** Answers what the runs of a server have taught over time. */
  history: method(ofServer, RunHistory),
  /** Accepts a broken rule or a finding of a report, instead of what was accepted of it before. */
  accept: method(ofFault.extend({ reason: AcceptedFault.shape.reason }), ChecksState),
  /** Lets it count again. */
  withdrawAcceptance: method(ofFault.omit({ number: true }), ChecksState),
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

export const LoginCredentials = z.object({ email: userText, password: userText, remember });
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
export const RegistrationResult = z.enum(['logged-in', 'not-logged-in']);
export type RegistrationResult = z.infer<typeof RegistrationResult>;

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
    state: method(z.void(), WindowState, { whileLocked: true }),
    /** Says that the first frame is on the screen. */
    painted: method(z.void(), z.object({}), { whileLocked: true }),
    /** Brings the window to the front, and with it the question of the system that belongs to it. */
    showQuestion: method(z.void(), z.null()),
    about: method(z.void(), About),
    /** Answers the licences of everything that is part of the application. */
    licences: method(z.void(), Licences),
  },
  session: {
    login: method(LoginCredentials, z.null()),
    /** Registers, and uses the token of the answer. Without one, or if it is refused, logs in once. Fails where no account was made. */
    register: method(Registration, RegistrationResult),
    /** Asks for the profile with a pasted token, and makes a session of it. Nothing changes where the server refuses it. */
    adoptToken: method(z.object({ token: userText, remember }), z.null()),
    /** Shows the log-in form. The sessions of the server stay. */
    addAccount: method(z.void(), z.null()),
    /** Ends the login, registration, check or logout that is under way. */
    cancel: method(z.void(), z.null()),
  },
  /** Each acts on one session of this application, whichever is shown. */
  sessions: {
    /** Shows the session, and its server. */
    choose: method(byId, z.null()),
    /**
     * Asks the server whether the session is still valid. Fails with what kept it from being confirmed; if the session
     * is shown, the state says the same.
     */
    check: method(byId, z.null()),
    /** Answers what the token says of itself. The token stays in main. */
    token: method(byId, TokenDetails),
    /** Puts the token, or the header that carries it, into the clipboard, once the person agreed in the system's own dialog. */
    copyToken: method(byId.extend({ as: z.enum(['token', 'header']) }), z.object({ copied: z.boolean() })),
    /** Ends the session here in any case, and tells the server of it if asked to. */
    logout: method(byId.extend({ tellServer: z.boolean() }), z.null()),
    /** Removes the session with its token. The server is not told. */
    forget: method(byId, z.null()),
    /** Tells the server of a logout that it was not told of. */
    revoke: method(byId, z.null()),
    /** Ends every session here at once, and tells each server of it. Those that are away are told later. */
    logoutEverywhere: method(z.void(), LogoutAllResult),
    /**
     * Logs in at a server with an account whose session there is near its end or past it. The new session takes the
     * place of those, and the person stays where they are.
     */
    logInAgain: method(LoginCredentials.extend({ serverId: byId.shape.id }), z.null()),
  },
  /** What the server sent of the person on the screen, without its secrets. */
  profile: {
    /** Puts the whole value of one field into the clipboard. */
    copy: method(byField, z.object({ copied: z.boolean() })),
    /** Opens a value that is a page or a mail address (`outsideLink`), once the person agreed in the system's own dialog. */
    open: method(byField, z.object({ opened: z.boolean() })),
    /** Answers the beginning of what the server sent, as JSON with `null` for each secret, and the places of those. */
    rawResponse: method(z.void(), z.object({ text: z.string().optional(), leftOut: z.array(z.string()) })),
    /** Answers a picture of the profile, by its place, as a `data:` address, which is absent once the picture is gone. */
    picture: method(z.object({ place: userText }), z.object({ address: z.string().optional() })),
    /** Writes what the server sent, whole, to a JSON file for which the system's own dialog asks. */
    exportFile: method(z.void(), z.object({ exported: z.boolean() })),
  },
  servers: {
    /** Makes the server at this address the active one. A new address becomes a new server, once the person agreed to it. */
    chooseAddress: method(z.object({ address: userText }), z.null()),
    /** Makes the server the active one. */
    choose: method(byId, z.null()),
    create: method(ServerInput, byId),
    /** Another proxy, certificate or authority, and another address where there are sessions, is asked about with the system's own dialog. */
    edit: method(ServerInput.extend({ id: byId.shape.id }), EndedSessions),
    /** Answers the id of the copy. */
    duplicate: method(byId, byId),
    /** Moves the server one place up or down, and answers its place in the list, from 1 on. */
    move: method(byId.extend({ by: z.literal([-1, 1]) }), z.object({ place: z.int() })),
    /** Removes the server with its sessions and tokens. The built-in one cannot be removed. */
    remove: method(byId, z.null()),
    /**
     * Lets web pages of these origins use a server that runs here, from the next request on. One that is no exact origin
     * changes nothing.
     */
    allowOrigins: method(byId.extend({ origins: z.array(z.string().max(300)).max(20) }), z.null()),
    /** Takes the host of a production server as it was typed. */
    confirmProduction: method(byId.extend({ host: userText }), z.null()),
    /**
     * Trusts the certificate that the last call to this server was refused for, instead of any that was trusted before.
     * The system's own dialog asks.
     */
    trust: method(byId, z.null()),
    /** Trusts again what the system trusts, and nothing else. The system's own dialog asks. */
    distrust: method(byId, z.null()),
    /** Looks what answers at an address, over the connection as it is typed now, once the person agreed to both. */
    test: method(
      ServerInput.pick({ address: true, enteredConnection: true, enteredInterface: true }).extend({
        id: byId.shape.id.optional(),
      }),
      ConnectionReport,
    ),
    /** Ends every test that is under way. */
    cancelTest: method(z.void(), z.object({})),
    /** Opens the address of the active server in the person's browser, once the system's own dialog was answered. */
    openInBrowser: method(z.void(), z.object({ opened: z.boolean() })),
    /**
     * Asks for a file of a connection with the system's own dialog. The file is absent when none was chosen. That of a
     * script (`pac`) is answered as a `file:` address.
     */
    chooseFile: method(z.object({ purpose: FilePurpose }), z.object({ file: z.string().optional() })),
    /** Asks for a file of servers with the system's own dialog, and answers what it would change. Nothing changes yet. */
    openFile: method(z.void(), z.object({ reading: ServersFilePreview.optional() })),
    /** Reads the files that servers came from again, and answers what each would change. */
    rereadFiles: method(z.void(), z.array(ServersFilePreview)),
    /**
     * Takes over what was read. Its proxies are asked about with the system's own dialog, and left out of new servers
     * unless the person agrees; of a server that is here, the same is asked as when it is edited.
     */
    applyFile: method(z.object({ key: z.string().max(100) }), EndedSessions),
    /** Makes a server that came from a file the person's own. */
    detachFromFile: method(byId, z.null()),
    /** Asks for the file with the system's own dialog. */
    exportFile: method(z.void(), z.null()),
  },
  /** Descriptions of interfaces. Setting one is a part of editing a server. */
  interfaces: {
    /** Reads the text of a description; an empty one stands for Llavero's own. Nothing is kept of it. */
    read: method(z.object({ text: z.string().max(longestDescription) }), InterfacePreview),
    /** Those that come with the application. */
    shipped: method(z.void(), z.array(ShippedInterface)),
    /** The description of a server as it was given; absent where that has Llavero's own interface. */
    textOf: method(byId, z.object({ text: z.string().optional() })),
    /**
     * Registers if wanted, logs in, reads the profile, renews and logs out by a description at its server, each once, and
     * answers how each call went and which changes of the description would mend it. A new place and an account that
     * will be made are asked about with the system's own dialog, and the host is asked for at production. Nothing is
     * kept of it but its recorded calls.
     */
    runTrial: method(TrialRequest, Trial),
    /** Ends the trial that is under way. A session that it made is ended at the server all the same. */
    cancelTrial: method(z.void(), z.object({})),
    /** What was found for a server, or for a new one, and is not used yet. */
    importDraft: method(z.object({ serverId }), z.object({ found: ImportDraft.optional() })),
    /** Takes an {@link ImportDraft} as JSON. Any other text is not kept. */
    saveImportDraft: method(z.object({ json: z.string().max(4 * longestDescription) }), z.null()),
    discardImportDraft: method(z.object({ serverId }), z.null()),
    /** Looks for the five calls in a pasted command or document. Nothing of it is kept. */
    find: method(z.object({ text: z.string().max(mostImportBytes) }), ImportResult),
    /**
     * The same in a file or in the folder of a collection, for which it asks with the system's own dialog. It answers
     * nothing where none was chosen, and the text alone of what is a description itself. `name` is that of the file.
     */
    findInFile: method(
      z.object({ what: z.enum(['file', 'folder']) }),
      z.object({
        finding: ImportResult.optional(),
        description: z.string().optional(),
        name: z.string().optional(),
      }),
    ),
  },
  /** What went over the wire, without its secrets. */
  calls: callMethods,
  vault: {
    /** Asks the system's secret store again. */
    retry: method(z.void(), z.null()),
  },
  lock: {
    now: method(z.void(), z.null(), { whileLocked: true }),
    /** Needs the PIN if one is set. */
    unlock: method(z.object({ pin: userText.optional() }), z.null(), { whileLocked: true }),
    /** Removes every session of this computer where the PIN is forgotten, and opens. No server can be told. */
    resetForgottenPin: method(z.void(), z.null(), { whileLocked: true }),
    /** Sets a PIN, or changes it. The current one is needed if there is one. */
    setPin: method(z.object({ pin: NewPin, current: userText.optional() }), z.null()),
    removePin: method(z.object({ current: userText }), z.null()),
  },
  builtIn: builtInMethods,
  demo: demoMethods,
  mocks: mockMethods,
  /** The contract run: what a server does where the interface is silent, and whether it keeps to it elsewhere. */
  checks: checkMethods,
  /** What rests on this computer. */
  storage: {
    overview: method(z.void(), StorageOverview),
    /** Answers a text that helps to find a fault. There is no secret in it. */
    diagnostics: method(z.void(), z.object({ text: z.string() })),
    copyDiagnostics: method(z.void(), z.object({ copied: z.boolean() })),
    /** Asks with the system's own dialog, erases, and ends the application. It answers only after a refusal. */
    eraseEverything: method(z.void(), z.object({ erased: z.literal(false) })),
  },
  /** Newer versions of Llavero. Where they come from is nothing that the window can say. */
  updates: {
    /** Looks whether there is one. */
    check: method(z.void(), z.null()),
    /** Downloads the one that was announced. */
    download: method(z.void(), z.null()),
    /** Ends the look or the download that is under way. */
    cancel: method(z.void(), z.null()),
    /** Installs what was downloaded, and starts Llavero again, once the system's own dialog was answered. */
    install: method(z.void(), z.null()),
  },
  settings: {
    /** While the application is locked, only language and theme can be changed. */
    change: method(Settings.partial(), z.null(), { whileLocked: true }),
  },
} as const;

type Contract = typeof contract;

/** The name of a method, as `group.method`. It is also the channel on which it crosses. */
export type MethodName = { [G in keyof Contract]: `${G}.${keyof Contract[G] & string}` }[keyof Contract];

/** What the window calls: an async function for each method, which never rejects. */
export type Api = {
  [G in keyof Contract]: {
    [K in keyof Contract[G]]: Contract[G][K] extends Method<infer I, infer O>
      ? (input: z.input<I>) => Promise<Result<z.output<O>>>
      : never;
  };
};

/** What main tells the window. The names are in the past tense. */
export const events = {
  'app.changed': WindowState,
  /** The person chose what the window does in a native menu. */
  'app.command': z.enum(windowCommands),
  /** Nobody has done anything for a while. The preload script takes this, not the page. */
  'app.rested': z.null(),
  /** The answer to one call of a method, by the id that the preload script gave that. It takes this, not the page. */
  'app.answered': z.object({ id: z.unknown(), result: z.unknown() }),
  'call.recorded': CallSummary,
  /** How many calls are kept, after that has changed. */
  'calls.counted': z.int(),
  /** The built-in server answered a request. The window asks for the requests when it shows them. */
  'builtIn.requested': z.null(),
  'checks.progressed': CheckProgressEvent,
} as const;

export type EventName = keyof typeof events;

/** What is told with an event. */
export type EventPayload<N extends EventName> = z.output<(typeof events)[N]>;

/** What main does for each method of the contract. The inputs are parsed before. */
export type Handlers = {
  [G in keyof Contract]: {
    [K in keyof Contract[G]]: Contract[G][K] extends Method<infer I, infer O>
      ? (input: z.output<I>) => Result<z.output<O>> | Promise<Result<z.output<O>>>
      : never;
  };
};
