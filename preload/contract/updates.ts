import { z } from 'zod';

/** Why nothing came of a look for updates, a download or an installation. The version that runs stays in any case. */
export const UpdateProblem = z.enum([
  /** The server of the updates could not be reached, or ended the connection. */
  'unreachable',
  /** It answered that it has no such file, or with another failure. */
  'refused',
  /** Its answer leads elsewhere. */
  'redirected',
  /** What it sends has no end. */
  'too-large',
  /** The announcement is incomplete, or is none. */
  'damaged',
  'unsigned',
  /** Another key signed it, or it was changed since. */
  'other-signature',
  'other-product',
  /** The version is older than the one that runs. */
  'older',
  /** The announcement is past its last day. */
  'expired',
  /** A newer announcement was seen before. */
  'replayed',
  /** There is no file for this kind of computer. */
  'no-file',
  /** The file is not the one that was announced. */
  'changed',
  'cut-off',
  /** The file could not be written. */
  'disk',
  'not-installed',
]);
export type UpdateProblem = z.infer<typeof UpdateProblem>;

/** A newer version. Everything here was signed. */
export const Update = z.object({
  version: z.string(),
  /** What changes, as plain text. It is cut when it is long. */
  notes: z.string(),
  /** What takes it in: the application itself, or a person with the tools of their system. */
  by: z.enum(['application', 'deb', 'rpm', 'person']),
  /** The name and the size of the file for this computer. */
  file: z.object({ name: z.string(), bytes: z.int() }).optional(),
  /** The address where a person gets it. */
  page: z.string().optional(),
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
