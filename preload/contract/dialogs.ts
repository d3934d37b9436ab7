import type { CertificateDetails, ProxySettings } from './connection.ts';
import type { FilePurpose } from './contract.ts';
import type { ReportForm } from './names.ts';
import type { Language } from './settings.ts';
import type { Result } from './result.ts';

/** The purpose that a file is chosen for. */
export type FileDialogPurpose =
  | 'import'
  | 'export'
  | 'export-har'
  | 'import-report'
  | 'export-comparison'
  | 'export-profile'
  | 'import-model'
  | 'export-model'
  | 'find-interface'
  | 'find-in-folder'
  | 'share-finding'
  | `export-report-${ReportForm}`
  | FilePurpose;

/** One thing that changes about how a server is reached. `from` and `to` of a file are its path, if there is one. */
export type ConnectionChange =
  | { what: 'address'; from: string; to: string }
  | { what: 'proxy'; from: ProxySettings; to: ProxySettings }
  /** The names of the descriptions, and where a password goes by them. */
  | { what: 'interface'; from: string; to: string }
  | { what: 'authority' | 'clientCertificate'; from: string | undefined; to: string | undefined }
  /** The one certificate that was trusted is not asked for any more. */
  | { what: 'distrust' };

/** What goes over a connection of a server beside the next password. */
export type AffectedData = { sessions: number; logouts: number; headers: number };

/** A proxy or a script, and the hosts that would be reached through it. */
type ProxyForHosts = { proxy: ProxySettings; hosts: readonly string[] };

type NamedServer = { name: string; address: string };

/** A server as an import changes it. Its proxy is among those of the question. */
type ChangedServer = NamedServer & { changes: readonly ConnectionChange[]; losesProduction: boolean };

/** What main asks a person itself, since a page that was taken over would say yes. */
export type DialogQuestion =
  /** Whether so many secrets may be copied in clear. */
  | { kind: 'secrets'; count: number }
  /** Whether the token of a session may be copied in clear, alone or with the name of its header. */
  | { kind: 'copy-token'; as: 'token' | 'header'; account: string; host: string }
  | { kind: 'erase' }
  | { kind: 'open-outside'; baseUrl: string }
  /** A description is tried with an account that is made up for it, and that stays at the server. */
  | { kind: 'try-made-up'; host: string; production: boolean }
  | { kind: 'open-mail'; address: string }
  | { kind: 'install-update'; version: string }
  /** A link from outside asks for a server. */
  | { kind: 'open-link'; name: string; baseUrl: string }
  /** `instead` says that another certificate was trusted until now. */
  | { kind: 'trust'; host: string; certificate: CertificateDetails; instead: boolean }
  /** How many sessions, logouts still to be told and values of extra headers go over the new connection, or end. */
  | ({ kind: 'connection'; host: string; changes: readonly ConnectionChange[] } & AffectedData)
  /** `unlisted` is the number of proxies for which there is no room. They are left out in any case. */
  | ({
      kind: 'import-servers';
      file: string;
      added: readonly NamedServer[];
      changed: readonly ChangedServer[];
      proxies: readonly ProxyForHosts[];
      unlisted: number;
    } & AffectedData)
  /** Something is to be sent to an origin, or by a proxy, for the first time; `proxy` is absent if that is not new. */
  | { kind: 'new-origin'; origin: string; isNew: boolean; proxy: ProxySettings | undefined };

/** Why a link leads nowhere. */
export type BadLink = { problem: 'not-a-link' } | { problem: 'unknown-server'; name: string };

/** The system's own dialogs, in front of the window. */
export type Dialogs = {
  /** Answers undefined when the person chose nothing. */
  chooseFile: (purpose: FileDialogPurpose, language: Language) => Promise<string | undefined>;
  /** Whether the person agreed. To cancel is what the dialog offers first. */
  confirm: (question: DialogQuestion, language: Language) => Promise<boolean>;
  /** Says which files could not be erased, although the question `erase` promised it. */
  showEraseFailed: (names: readonly string[], language: Language) => Promise<void>;
  /** Says that a link leads nowhere. Resolves when the person has read it. */
  showBadLink: (bad: BadLink, language: Language) => Promise<void>;
  /** Opens a page in the person's browser, or their mail program for an address. */
  openExternal: (address: string) => Promise<Result<null>>;
};
