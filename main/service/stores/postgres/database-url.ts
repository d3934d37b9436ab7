/**
 * How the connection is encrypted, as libpq's `sslmode` says it
 * (https://www.postgresql.org/docs/current/libpq-ssl.html). `allow` and `prefer` are refused: they go on in clear
 * without a word when anyone on the way says that the server has no TLS.
 */
const tlsModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
export type TlsMode = (typeof tlsModes)[number];

/** Made by {@link readDatabaseUrl}. */
export type DatabaseUrl = {
  host: string;
  port: number;
  database: string;
  /** By default, the driver uses `PGUSER` or the user of the operating system. */
  user?: string | undefined;
  /** By default, the driver uses `PGPASSWORD` or the file `~/.pgpass`. */
  password?: string | undefined;
  tls: TlsMode;
  /** The path of a PEM file with the authorities to trust; Node's own by default. */
  rootCertificate?: string | undefined;
  /** The host and port, for messages. */
  at: string;
};

/** `message` is one English sentence without the parts of the URL that may be secret. */
type ReadUrlResult = { ok: true; url: DatabaseUrl } | { ok: false; message: string };

/** Of one instance. PostgreSQL's own default allows 97, for all instances. */
export const DEFAULT_CONNECTIONS = 10;

const DEFAULT_PORT = 5432;
const FORM = 'postgres://USER:PASSWORD@HOST:PORT/DATABASE';

const invalid = (message: string): ReadUrlResult => ({ ok: false, message });

/** Undefined if a `%` is not followed by UTF-8. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);
const isTlsMode = (text: string): text is TlsMode => tlsModes.some((mode) => mode === text);

/**
 * Reads a URL of libpq's form `postgres://…` or `postgresql://…`. Parameters other than `sslmode` and `sslrootcert` are
 * refused, since the connection's security may depend on an ignored one. The default of `sslmode` is `disable` on this
 * machine and `verify-full` elsewhere.
 */
export function readDatabaseUrl(text: string): ReadUrlResult {
  const url = URL.parse(text);
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) {
    return invalid(`The URL of the database must have the form ${FORM}.`);
  }
  const [host, database, user, password] = [
    url.hostname.replace(/^\[(.*)\]$/, '$1'),
    url.pathname.slice(1),
    url.username,
    url.password,
  ].map(decode);
  if (host === undefined || database === undefined || user === undefined || password === undefined) {
    return invalid('The URL of the database has a "%" that is not followed by two hexadecimal digits of UTF-8.');
  }
  if (host === '' || database === '' || url.hash !== '') {
    return invalid(`The URL of the database must name a host and a database: ${FORM}.`);
  }

  const { sslmode, sslrootcert, ...others } = Object.fromEntries(url.searchParams);
  if (Object.keys(others).length > 0) {
    return invalid('The URL of the database has a parameter other than sslmode and sslrootcert.');
  }
  const mode = sslmode ?? (isLoopback(host) ? 'disable' : 'verify-full');
  if (!isTlsMode(mode)) {
    return invalid(`The sslmode of the database must be one of ${tlsModes.join(', ')}.`);
  }

  const port = Number(url.port || DEFAULT_PORT);
  return {
    ok: true,
    url: {
      host,
      port,
      database,
      // As in libpq, named authorities are to be asked.
      tls: mode === 'require' && sslrootcert ? 'verify-ca' : mode,
      at: `${host.includes(':') ? `[${host}]` : host}:${port}`,
      user: user || undefined,
      password: password || undefined,
      rootCertificate: sslrootcert || undefined,
    },
  };
}
