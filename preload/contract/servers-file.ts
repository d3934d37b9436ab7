import type { InterfaceFault } from './connection.ts';
import type { EndedSessions } from './models.ts';

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

/** What became of an import. `changed` and `unchanged` count the servers that were here before, by their names. */
export type ServersFileImport =
  | { outcome: 'cancelled' }
  /** `file` is its name, without its folder. */
  | { outcome: 'refused'; file: string; fault: ServersFileFault }
  | ({ outcome: 'imported'; added: number; changed: number; unchanged: number } & EndedSessions);
