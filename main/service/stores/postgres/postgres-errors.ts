import { z } from 'zod';
import type { UnavailableReason } from '../account-store.ts';

/** An error of the server; its code is a SQLSTATE. */
const ServerError = z.object({ severity: z.string(), code: z.string().length(5), message: z.string() });
const SystemError = z.object({ code: z.string() });

/** Why a PostgreSQL database cannot be used. It is unchanged. */
export type PostgresFailure =
  | 'wrong-url'
  | 'unreachable'
  | 'tls-refused'
  | 'login-refused'
  | 'database-missing'
  | 'forbidden'
  | 'read-only'
  | 'busy'
  | 'full'
  | 'wrong-encoding'
  | 'other-version'
  | 'foreign';

/**
 * The reasons by SQLSTATE, or by its class of two characters where that says enough
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const unavailableOfState: Partial<Record<string, UnavailableReason>> = {
  '08': 'unreachable', // connection exceptions
  '25006': 'read-only', // read_only_sql_transaction: a standby
  '28': 'unreachable', // the password was changed meanwhile
  '3D000': 'unreachable', // the database was dropped or is being replaced
  '40': 'failing', // rolled back: serialization failure, deadlock
  '42501': 'failing', // insufficient_privilege, taken away meanwhile
  '53': 'failing', // insufficient resources
  '53100': 'full', // disk_full
  '53300': 'unreachable', // too_many_connections
  '55P03': 'locked', // lock_not_available
  '57014': 'failing', // query_canceled: the statement timeout
  '57': 'unreachable', // operator intervention: shutdown, crash, starting up
  '58': 'failing', // errors of the system below, such as a disk
  XX001: 'failing', // data_corrupted
  XX002: 'failing', // index_corrupted
};

const openFailureOfState: Partial<Record<string, PostgresFailure>> = {
  '28': 'login-refused',
  '3D000': 'database-missing',
  '42501': 'forbidden',
  '25006': 'read-only',
  '53100': 'full',
  '53300': 'busy',
  '55P03': 'busy',
  '57': 'unreachable',
  '08': 'unreachable',
};

const ofState = <T>(table: Partial<Record<string, T>>, code: string): T | undefined =>
  table[code] ?? table[code.slice(0, 2)];

/** The driver's own errors have no code, so these texts identify a connection that ended or was not available in time. */
const DRIVER_LOST = /^(Connection terminated|Client (has encountered a connection error|was closed)|timeout expired)/;
const DRIVER_BUSY = /^(timeout exceeded when trying to connect|Query read timeout)/;
const DRIVER_NO_TLS = /SSL connection/;
const DRIVER_NO_PASSWORD = /^SASL: .* client password must be/;
const DRIVER_OTHER_PROTOCOL = /^received invalid response/;

/** Node's codes for OpenSSL's verification of a certificate, and OpenSSL's own errors. */
const TLS_CODE =
  /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO|ERR_OSSL_)/;
const NETWORK_CODE = /^E[A-Z]+$/;

/** Why the database is unavailable; undefined if the statement is at fault, or a constraint was violated. */
export function unavailableReasonOf(error: unknown): UnavailableReason | undefined {
  const server = ServerError.safeParse(error);
  if (server.success) return ofState(unavailableOfState, server.data.code);
  if (!(error instanceof Error)) return undefined;
  if (DRIVER_BUSY.test(error.message)) return 'failing';
  const code = SystemError.safeParse(error).data?.code ?? '';
  return DRIVER_LOST.test(error.message) || NETWORK_CODE.test(code) || TLS_CODE.test(code) ? 'unreachable' : undefined;
}

/** SQLSTATE 23503. The server's text may be in any language. */
export function isForeignKeyViolation(error: unknown): boolean {
  return ServerError.safeParse(error).data?.code === '23503';
}

/** Why a database cannot be opened, with the server's or system's message; undefined for a bug of ours. */
export function openFailureOf(error: unknown): { kind: PostgresFailure; cause: string } | undefined {
  const server = ServerError.safeParse(error);
  if (server.success) {
    const kind = ofState(openFailureOfState, server.data.code);
    return kind && { kind, cause: server.data.message };
  }
  if (!(error instanceof Error)) return undefined;
  // Node tries every address of a name, and reports all errors.
  if (error instanceof AggregateError) return openFailureOf(error.errors[0]);
  const code = SystemError.safeParse(error).data?.code ?? '';
  if (DRIVER_NO_TLS.test(error.message)) return { kind: 'tls-refused', cause: 'it has no TLS' };
  if (TLS_CODE.test(code)) return { kind: 'tls-refused', cause: code };
  if (NETWORK_CODE.test(code)) return { kind: 'unreachable', cause: code };
  if (DRIVER_NO_PASSWORD.test(error.message)) return { kind: 'login-refused', cause: 'it asks for a password' };
  if (DRIVER_OTHER_PROTOCOL.test(error.message)) return { kind: 'unreachable', cause: 'it is no PostgreSQL' };
  return DRIVER_LOST.test(error.message) ? { kind: 'unreachable', cause: 'it does not answer' } : undefined;
}
