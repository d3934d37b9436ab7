import { z } from 'zod';
import { InterfaceFault } from './connection.ts';
import { ServerColour } from './settings.ts';

/** Why a file of servers is refused. */
export const ServersFileProblem = z.enum([
  'unreadable',
  'too-large',
  'not-json',
  'json-comment',
  'json-comma',
  /** It is in UTF-16, which PowerShell writes by itself. */
  'utf-16',
  'too-many',
  'not-servers',
  'other-version',
  'unknown-key',
  'missing',
  'wrong-value',
  'name-twice',
  'address',
  'address-credentials',
  /** A value stands where the name of an environment variable belongs. It is never repeated. */
  'not-a-variable',
  'literal-secret',
  'header-taken',
  'interface-unknown',
  'interface-outside',
  'interface-unreadable',
  'interface',
  'variable-unknown',
]);
export type ServersFileProblem = z.infer<typeof ServersFileProblem>;

/** What is wrong, where (`servers.2.address`), and which name it is about. `inner` is a fault of the description there. */
export const ServersFileFault = z.object({
  problem: ServersFileProblem,
  at: z.string(),
  name: z.string().optional(),
  /** Where a file that is no JSON stops being it, both from 1 on; a column counts characters. */
  line: z.int().optional(),
  column: z.int().optional(),
  inner: InterfaceFault.optional(),
});
export type ServersFileFault = z.infer<typeof ServersFileFault>;

/** A thing that a file says of a server and that is otherwise here. The texts are absent where a name says enough. */
const FileChange = z.object({
  what: z.enum([
    'address',
    'interface',
    'headers',
    'production',
    'colour',
    'notes',
    'registrationPath',
    'pinned',
    'proxy',
    'limits',
  ]),
  from: z.string().optional(),
  to: z.string().optional(),
});
export type FileChange = z.infer<typeof FileChange>;

/** A server that a file has and that is not here. */
const FileServer = z.object({
  name: z.string(),
  address: z.string(),
  colour: ServerColour,
  production: z.boolean(),
  /** Its name, and the call that logs in. */
  interface: z.string(),
  /** The names of extra headers. */
  headers: z.array(z.string()),
});

/** What a file of servers would change here, or why it cannot be used. Nothing of it counts until a person takes it over. */
export const ServersFilePreview = z.discriminatedUnion('readable', [
  z.object({ readable: z.literal(false), file: z.string(), fault: ServersFileFault }),
  z.object({
    readable: z.literal(true),
    file: z.string(),
    /** Names what was read, for the person who takes it over. */
    key: z.string(),
    added: z.array(FileServer),
    changed: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        changes: z.array(FileChange),
        /** The sessions that end with it. */
        sessions: z.int(),
      }),
    ),
    /** Those that came from the file and that it does not name any more. They stay, as servers of the person's own. */
    gone: z.array(z.object({ id: z.string(), name: z.string() })),
    /** The number of servers that stay as they are. */
    same: z.int(),
  }),
]);
export type ServersFilePreview = z.infer<typeof ServersFilePreview>;
