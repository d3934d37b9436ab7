import { mayBeShared } from '../service/listening.ts';
import { read, wrong, type Read } from './read-arguments.ts';

/** What `--help` says of these options. */
export const rehearsalHelp = `To rehearse what takes long, and to see what a client does wrong; on this computer only:

  --clock                let the clock of the service be moved: the line that it prints then has the address and the key
                         of a listener of its own. POST there {"advanceSeconds": 60}, {"to": "newest-token-end"} or
                         {"to": "now"} with Authorization: Bearer KEY; GET answers the time. Refused while another
                         instance uses the file of accounts; off at the next start.
  --client-report FILE   write what clients did wrong, as far as a server can see it, to this file of JSON when it
                         ends; logins then set a cookie, which no client should send back
`;

/** These are for `parseArgs` of `node:util`. */
export const rehearsalOptions = { clock: { type: 'boolean' }, 'client-report': { type: 'string' } } as const;

export type Rehearsal = {
  clock?: 'from-start' | undefined;
  /** The file that the report is written to. */
  clientReport?: string | undefined;
};

type Values = {
  clock?: boolean;
  'client-report'?: string;
  listen?: string;
  'allow-host'?: string[];
  'trust-proxy'?: string[];
};

export function readRehearsal({ clock, 'client-report': file, ...reach }: Values): Read<Rehearsal> {
  if (file === '') return wrong('The option --client-report takes the path of a file.');
  const { listen, 'allow-host': allowHosts, 'trust-proxy': trustedProxies } = reach;
  if ((clock || file !== undefined) && mayBeShared({ listen, allowHosts, trustedProxies })) {
    return wrong('The options --clock and --client-report are for this computer only.');
  }
  return read({ clock: clock ? 'from-start' : undefined, clientReport: file });
}
