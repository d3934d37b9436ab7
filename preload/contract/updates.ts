import { z } from 'zod';

/** Why nothing came of a look for updates, a download or an installation. */
export const UpdateProblem = z.enum([
  /** The server of the updates could not be reached. */
  'unreachable',
  /** It answered that it has no such file, or with another failure. */
  'refused',
  /** The announcement is incomplete, or is none. */
  'damaged',
  /** There is no file for this kind of computer. */
  'no-file',
  /** The file is not the one that was announced. */
  'changed',
  'not-downloaded',
  /** The file could not be written. */
  'disk',
  'not-installed',
]);
export type UpdateProblem = z.infer<typeof UpdateProblem>;

/** A newer version, as the server of the updates announces it. */
export const Update = z.object({
  version: z.string(),
  /** What changes, as plain text. It is cut when it is long. */
  notes: z.string(),
  /** What takes it in: the application itself, or a person, with the system's tools where those brought this copy. */
  by: z.enum(['application', 'system', 'person']),
  /** The size of the file for this computer. */
  bytes: z.int().optional(),
});
export type Update = z.infer<typeof Update>;

const problem = UpdateProblem.optional();

/** How far updates are. */
export const UpdateStatus = z.discriminatedUnion('state', [
  /** Nothing is looked for. `file` is the one that cannot be used. */
  z.object({
    state: z.literal('off'),
    why: z.enum(['not-configured', 'managed', 'unusable']),
    file: z.string().optional(),
  }),
  z.object({ state: z.literal('not-looked') }),
  z.object({ state: z.literal('looking') }),
  z.object({ state: z.literal('current'), at: z.iso.datetime() }),
  z.object({ state: z.literal('failed'), at: z.iso.datetime(), problem: UpdateProblem }),
  z.object({ state: z.literal('available'), update: Update, problem }),
  z.object({ state: z.literal('downloading'), update: Update, percent: z.int() }),
  /** The file is here and is the one that was announced. */
  z.object({ state: z.literal('ready'), update: Update, problem }),
]);
export type UpdateStatus = z.infer<typeof UpdateStatus>;
