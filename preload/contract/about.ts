import { z } from 'zod';

/** A package that is part of the application. `text` is the place of its licence in the list of texts. */
export const LicensedPackage = z.object({
  name: z.string(),
  version: z.string(),
  licence: z.string(),
  text: z.int().optional(),
});
export type LicensedPackage = z.infer<typeof LicensedPackage>;

/** The parts of the application, and each text of a licence once. The build writes it. */
export const Licences = z.object({ parts: z.array(LicensedPackage), texts: z.array(z.string()) });
export type Licences = z.infer<typeof Licences>;

/** What the application runs on. */
export type About = {
  /** The operating system with its version and processor, as it names them itself. */
  system: string;
  chromium: string;
  node: string;
};

/** A part of what is in the user-data folder, in the order in which the screen shows them. */
export const StoredPart = z.enum([
  /** The settings, the servers, and the last email at each server. */
  'settings',
  'tokens',
  'pin',
  /** The database of the built-in server. */
  'accounts',
  /** The copies of that database. */
  'snapshots',
  /** The mock files, comparisons and accounts of mock servers. */
  'mocks',
  'calls',
  /** Reports of checks. */
  'reports',
  'logs',
  /** Files that could not be used as they were. */
  'set-aside',
  /** The picture of the window, on a computer without a display. */
  'picture',
  /** What Chromium keeps for itself. */
  'browser',
]);
export type StoredPart = z.infer<typeof StoredPart>;

export type StorageOverview = {
  folder: string;
  /** All parts are listed, also those that have no file. */
  parts: { part: StoredPart; files: number; bytes: number }[];
};

/** Why nothing came of a look for updates, a download or an installation. */
export type UpdateProblem =
  /** The server of the updates could not be reached. */
  | 'unreachable'
  /** It answered that it has no such file, or with another failure. */
  | 'refused'
  /** The announcement is incomplete or cannot be read. */
  | 'damaged'
  /** There is no file for this kind of computer. */
  | 'no-file'
  /** The file is not the one that was announced. */
  | 'changed'
  | 'not-downloaded'
  /** The file could not be written. */
  | 'disk'
  | 'not-installed';

/** A newer version, as the server of the updates announces it. */
export type Update = {
  version: string;
  /** What changes, as plain text. It is cut when it is long. */
  notes: string;
  /** What takes it in: the application itself, or a person, with the system's tools where those brought this copy. */
  by: 'application' | 'system' | 'person';
  /** The size of the file for this computer. */
  bytes?: number | undefined;
};

/** How far updates are. */
export type UpdateStatus =
  /** Nothing is looked for. `file` is the one that cannot be used. */
  | { state: 'off'; why: 'not-configured' | 'managed' | 'unusable'; file?: string | undefined }
  | { state: 'not-checked' }
  | { state: 'checking' }
  | { state: 'current'; at: string }
  | { state: 'failed'; at: string; problem: UpdateProblem }
  | { state: 'available'; update: Update; problem?: UpdateProblem | undefined }
  | { state: 'downloading'; update: Update; percent: number }
  /** The file is here and is the one that was announced. */
  | { state: 'ready'; update: Update; problem?: UpdateProblem | undefined };
