import type { InterfaceFault } from './connection.ts';
import type { ServerColour } from './settings.ts';

/** Why a file of servers is refused. */
export type ServersFileProblem =
  | 'unreadable'
  | 'too-large'
  | 'not-json'
  | 'json-comment'
  | 'json-comma'
  /** It is in UTF-16, which PowerShell writes by itself. */
  | 'utf-16'
  | 'too-many'
  | 'not-servers'
  | 'other-version'
  | 'unknown-key'
  | 'missing'
  | 'wrong-value'
  | 'name-twice'
  | 'address'
  | 'address-credentials'
  /** A value stands where the name of an environment variable belongs. It is never repeated. */
  | 'not-a-variable'
  | 'literal-secret'
  | 'header-taken'
  | 'interface-unknown'
  | 'interface-outside'
  | 'interface-unreadable'
  | 'interface'
  | 'variable-unknown';

/** What is wrong, where (`servers.2.address`), and which name it is about. `inner` is a fault of the description there. */
export type ServersFileFault = {
  problem: ServersFileProblem;
  at: string;
  name?: string | undefined;
  /** Where a file that is no JSON stops being it, both from 1 on; a column counts characters. */
  line?: number | undefined;
  column?: number | undefined;
  inner?: InterfaceFault | undefined;
};

/** A thing that a file says of a server and that is otherwise here. The texts are absent where a name says enough. */
export type FileChange = {
  what:
    | 'address'
    | 'interface'
    | 'headers'
    | 'production'
    | 'colour'
    | 'notes'
    | 'registrationPath'
    | 'pinned'
    | 'proxy'
    | 'limits';
  from?: string | undefined;
  to?: string | undefined;
};

/** A server that a file has and that is not here. */
type FileServer = {
  name: string;
  address: string;
  colour: ServerColour;
  production: boolean;
  /** Its name, and the call that logs in. */
  interface: string;
  /** The names of extra headers. */
  headers: string[];
};

/** What a file of servers would change here, or why it cannot be used. Nothing of it counts until a person takes it over. */
export type ServersFilePreview =
  | { readable: false; file: string; fault: ServersFileFault }
  | {
      readable: true;
      file: string;
      /** Names what was read, for the person who takes it over. */
      key: string;
      added: FileServer[];
      changed: {
        id: string;
        name: string;
        changes: FileChange[];
        /** The sessions that end with it. */
        sessions: number;
      }[];
      /** Those that came from the file and that it does not name any more. They stay, as servers of the person's own. */
      gone: { id: string; name: string }[];
      /** The number of servers that stay as they are. */
      same: number;
    };
