import { z } from 'zod';
import { ConnectionSettings, ProxyAddress, ProxySettings } from '../../preload/contract/connection.ts';
import { InterfaceDescription } from '../../preload/contract/interface.ts';
import { isPlainName } from '../../preload/contract/models.ts';
import { ResponseMapping, RegistrationPath, ServerColour } from '../../preload/contract/settings.ts';
import { mostHeaders } from '../client/extra-headers.ts';

export const serversFileVersion = 1;
/** A team has far fewer servers. */
const mostServers = 500;

/**
 * The name of an environment variable, in capitals with at least one underscore: a value that was put in its place by
 * mistake seldom looks like that.
 */
export const environmentVariablePattern = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

/** The name itself is looked at by the reader, so that a sentence can say what belongs there. */
const Variables = z.record(z.string().max(200), z.string());

const [System, None, Pac, Manual] = ProxySettings.options;
const Proxy = z.discriminatedUnion('mode', [
  System.strict(),
  None.strict(),
  Pac.strict(),
  Manual.strict().extend({ proxy: ProxyAddress.strict() }),
]);

/** The entry of a server, where its interface stands as this says. */
const entryWith = <T extends z.ZodType>(described: T) =>
  z.strictObject({
    name: z
      .string()
      .min(1)
      .max(100)
      .refine((name) => isPlainName(name) && name.trim() === name)
      .describe('By which people and --server name it, once in a file.'),
    address: z.string().max(2_000).describe('The base URL, with http:// or https://, without a user name.'),
    colour: ServerColour.optional(),
    production: z
      .boolean()
      .optional()
      .describe('Whether a person must type the host before anything is changed there.'),
    interface: z
      .union([z.string().max(500), described])
      .optional()
      .describe('The name of one that comes with Llavero, a file beside this one (./our.interface.json), or itself.'),
    variables: Variables.optional().describe(
      'Variables of the interface, each by the name of an environment variable; never a value.',
    ),
    headers: Variables.refine((headers) => Object.keys(headers).length <= mostHeaders)
      .optional()
      .describe('Extra headers, each by the name of an environment variable; never a value.'),
    notes: z.string().max(5_000).optional(),
    registrationPath: RegistrationPath.optional(),
    pinned: z
      .strictObject({
        token: ResponseMapping.shape.pinned.valueType.optional(),
        user: ResponseMapping.shape.pinned.valueType.optional(),
        message: ResponseMapping.shape.pinned.valueType.optional(),
      })
      .optional(),
    proxy: Proxy.optional(),
    limits: ConnectionSettings.shape.limits.unwrap().strict().optional(),
  });

/** What `llavero.servers.json` says. What a server's entry does not name stays here as it is. */
const fileWith = <T extends z.ZodType>(described: T) =>
  z.strictObject({
    $schema: z.string().max(500).optional(),
    version: z.literal(serversFileVersion),
    servers: z.array(entryWith(described)).max(mostServers),
  });

/** A description within it is read by its own reader, which says more. */
export const ServersFile = fileWith(z.record(z.string(), z.json()));
export type ServersFileEntry = z.infer<typeof ServersFile>['servers'][number];

/** What is written: defaults may be left out. */
export type ServersFileInput = z.input<typeof ServersFile>;

/** Makes the JSON Schema 2020-12 of the file from its types, for those who write one: the build writes it. */
export function createServersFileSchema(): object {
  const schema = z.toJSONSchema(fileWith(InterfaceDescription), {
    target: 'draft-2020-12',
    reused: 'ref',
    io: 'input',
  });
  return {
    ...schema,
    $id: `https://llavero.app/schemas/servers-${serversFileVersion}.json`,
    title: `Servers of a team for Llavero, version ${serversFileVersion}`,
  };
}
