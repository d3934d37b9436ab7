import { z } from 'zod';
import { EnteredConnection, Fingerprint } from './connection.ts';
import { contractRunMethods } from './contract-run-methods.ts';
import {
  CommandForm,
  CallFilter,
  CallLimits,
  CallPage,
  CallSummary,
  RecordedCall,
  ReplayChange,
  ReplayOutcome,
} from './calls.ts';
import { AppState, LoggedOutEverywhere, ServerDetails, RegistrationPath, Settings, WindowState } from './models.ts';
import { ConnectionReport } from './connection-report.ts';
import { byId, method, typed, type Method } from './method.ts';
import type { Result } from './result.ts';
import { builtInMethods, demoMethods } from './built-in-methods.ts';
import { doubleMethods } from './double-methods.ts';
import { About, Licences } from './about.ts';
import { StorageOverview } from './storage.ts';

/** Whether the session may outlive the application. When it is absent, the session may. */
const remember = z.boolean().optional();

export const Credentials = z.object({ email: typed, password: typed, remember });
export type Credentials = z.infer<typeof Credentials>;

export const Registration = z.object({
  path: RegistrationPath,
  name: typed,
  email: typed,
  password: typed,
  /** It is sent to `/register` only. */
  cpassword: typed,
  remember,
});
export type Registration = z.infer<typeof Registration>;

/** A server as the form has it. */
export const EnteredServer = ServerDetails.extend({
  address: typed,
  /** It is absent for the built-in server, which has no connection to choose. */
  enteredConnection: EnteredConnection.optional(),
});
export type EnteredServer = z.infer<typeof EnteredServer>;

export const FilePurpose = z.enum(['authority', 'certificate', 'key', 'pfx', 'pac']);
export type FilePurpose = z.infer<typeof FilePurpose>;

/** A PIN may have any characters. Its length counts UTF-16 units. */
const pinLength = { least: 4, most: 64 } as const;
const NewPin = z.string().min(pinLength.least).max(pinLength.most);

/** A call has a handful of secrets. */
const mostSecrets = 50;
/** The typed secrets of a replay, by the ids of the references that stand for them. */
const typedSecrets = z
  .record(byId.shape.id, typed)
  .refine((secrets) => Object.keys(secrets).length <= mostSecrets)
  .meta({ maxProperties: mostSecrets });

/** Everything that the window can ask of main. Nothing else crosses, except the events of `events.ts`. */
export const contract = {
  app: {
    state: method(z.void(), WindowState, { whileLocked: true }),
    /** Says that the first frame is on the screen. */
    painted: method(z.void(), z.object({}), { whileLocked: true }),
    about: method(z.void(), About),
    /** Answers the licences of everything that is part of the application. */
    licences: method(z.void(), Licences),
  },
  session: {
    login: method(Credentials, AppState),
    /** Registers, and uses the token of the answer. Logs in once if there is none, or if it is refused. */
    register: method(Registration, AppState),
    /** Shows the log-in form. The sessions of the server stay. */
    addAccount: method(z.void(), AppState),
    /** Ends the login, registration, check or logout that is under way. */
    cancel: method(z.void(), AppState),
  },
  /** Each acts on one session of this application, whichever is shown. */
  sessions: {
    /** Shows the session, and its server. */
    choose: method(byId, AppState),
    /**
     * Asks the server whether the session is still valid. Fails with what kept it from being confirmed; if the session
     * is shown, the state says the same.
     */
    check: method(byId, AppState),
    /** Ends the session here in any case, and tells the server of it if asked to. */
    logout: method(byId.extend({ tellServer: z.boolean() }), AppState),
    /** Removes the session with its token. The server is not told. */
    forget: method(byId, AppState),
    /** Tells the server of a logout that it was not told of. */
    revoke: method(byId, AppState),
    /** Ends every session here at once, and tells each server of it. Those that are away are told later. */
    logoutEverywhere: method(z.void(), LoggedOutEverywhere),
    /**
     * Logs in at a server with an account whose session there is near its end or past it. The new session takes the
     * place of those, and the person stays where they are.
     */
    logInAgain: method(Credentials.extend({ serverId: byId.shape.id }), AppState),
  },
  /** What the server sent of the person on the screen, without its secrets. */
  profile: {
    /** Puts the whole value of one field into the clipboard. `rest` are those that the interface does not know, by their place. */
    copy: method(z.object({ of: z.enum(['known', 'rest']), field: typed }), z.object({ copied: z.boolean() })),
    /** Answers a picture of the profile, by its place, as a `data:` address. It is absent where there is none any more. */
    picture: method(z.object({ place: typed }), z.object({ address: z.string().optional() })),
    /** Writes what the server sent, whole, to a JSON file for which the system's own dialog asks. */
    exportFile: method(z.void(), z.object({ exported: z.boolean() })),
  },
  servers: {
    /** Makes the server at this address the active one. A new address becomes a new server, once the person agreed to it. */
    chooseAddress: method(z.object({ address: typed }), AppState),
    /** Makes the server the active one. */
    choose: method(byId, AppState),
    create: method(EnteredServer, AppState),
    /** With sessions, another address or another way to it is asked about with the system's own dialog. */
    edit: method(EnteredServer.extend({ id: byId.shape.id }), AppState),
    duplicate: method(byId, AppState),
    /** Moves the server one place up or down. */
    move: method(byId.extend({ by: z.literal([-1, 1]) }), AppState),
    /** Removes the server with its sessions and tokens. The built-in one cannot be removed. */
    remove: method(byId, AppState),
    /** Takes the host of a production server as it was typed. */
    confirmProduction: method(byId.extend({ host: typed }), AppState),
    /**
     * Trusts one certificate for this server, instead of any that was trusted before. It has to be the one that was
     * just refused at the server's address. The system's own dialog asks.
     */
    trust: method(byId.extend({ sha256: Fingerprint }), AppState),
    /** Trusts again what the system trusts, and nothing else. The system's own dialog asks if there are sessions. */
    distrust: method(byId, AppState),
    /** Looks what answers at an address, over the connection as it is typed now, once the person agreed to both. */
    test: method(
      byId.partial().extend({ address: typed, enteredConnection: EnteredConnection.optional() }),
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
    /**
     * Asks for the file with the system's own dialog. Nothing changes when none was chosen. Proxies in it are asked
     * about in the same way, and left out unless the person agrees.
     */
    importFile: method(z.void(), AppState),
    /** Asks for the file with the system's own dialog. */
    exportFile: method(z.void(), AppState),
  },
  /** What went over the wire, without its secrets. */
  calls: {
    list: method(z.object({ filter: CallFilter, offset: z.int().min(0) }), CallPage),
    /** Answers how many calls are kept. */
    count: method(z.void(), z.int()),
    get: method(byId, RecordedCall),
    pin: method(byId.extend({ pinned: z.boolean() }), CallSummary),
    /** Keeps the text of an answer that is shown in this run only. It fails once the text is no longer in memory. */
    keepText: method(byId, z.null()),
    /**
     * Puts the request into the clipboard as a command. With `full` its secrets are in it, once the person confirmed
     * that in the system's own dialog; `missing` is the number of secrets that main no longer has.
     */
    copy: method(
      byId.extend({ form: CommandForm, secrets: z.enum(['variables', 'full']) }),
      z.object({ copied: z.boolean(), missing: z.int() }),
    ),
    /** Asks for the file with the system's own dialog. The number of calls is absent when none was chosen. */
    /** As HTTP Archive 1.2. */
    exportHar: method(z.object({ filter: CallFilter }), z.object({ exported: z.int().optional() })),
    /** Asks for the file with the system's own dialog. `imported` is absent when none was chosen. */
    /** Answers the changes with which the call can be replayed now. It fails when the call cannot be replayed. */
    replayChanges: method(byId, z.object({ changes: z.array(ReplayChange) })),
    /**
     * Sends the request once more, as it was or with one change, and answers the record of that. `secrets` has what a
     * person typed for those that an earlier replay named as missing. No session begins or ends by a replay.
     */
    replay: method(byId.extend({ change: ReplayChange.optional(), secrets: typedSecrets.optional() }), ReplayOutcome),
    /** Ends the replay that is under way. */
    cancelReplay: method(z.void(), z.null()),
    /** Removes the calls of one server, or all calls. */
    clear: method(z.object({ serverId: byId.shape.id.optional(), pinnedToo: z.boolean() }), CallPage),
    limits: method(z.void(), CallLimits),
    /** Sets limits that hold from the next call on. */
    setLimits: method(CallLimits, CallLimits),
  },
  vault: {
    /** Asks the system's secret store again. */
    retry: method(z.void(), AppState),
  },
  lock: {
    now: method(z.void(), WindowState, { whileLocked: true }),
    /** Needs the PIN if one is set. */
    unlock: method(z.object({ pin: typed.optional() }), WindowState, { whileLocked: true }),
    /** Sets a PIN, or changes it. The current one is needed if there is one. */
    setPin: method(z.object({ pin: NewPin, current: typed.optional() }), AppState),
    removePin: method(z.object({ current: typed }), AppState),
  },
  builtIn: builtInMethods,
  demo: demoMethods,
  doubles: doubleMethods,
  /** The contract run: what a server does where the interface is silent, and whether it keeps to it elsewhere. */
  contractRun: contractRunMethods,
  /** What rests on this computer. */
  storage: {
    overview: method(z.void(), StorageOverview),
    /** Answers a text for whoever looks into a fault. There is no secret in it. */
    diagnostics: method(z.void(), z.object({ text: z.string() })),
    copyDiagnostics: method(z.void(), z.object({ copied: z.boolean() })),
    /** Asks with the system's own dialog, erases, and ends the application. It answers only after a refusal. */
    eraseEverything: method(z.void(), z.object({ erased: z.literal(false) })),
  },
  /** Newer versions of Llavero. Where they come from is nothing that the window can say. */
  updates: {
    /** Looks whether there is one. */
    look: method(z.void(), AppState),
    /** Downloads the one that was announced. */
    download: method(z.void(), AppState),
    /** Ends the look or the download that is under way. */
    cancel: method(z.void(), AppState),
    /** Installs what was downloaded, and starts Llavero anew, once the system's own dialog was answered. */
    install: method(z.void(), AppState),
  },
  settings: {
    /** While the application is locked, only language and theme can be changed. */
    change: method(Settings.partial(), WindowState, { whileLocked: true }),
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
