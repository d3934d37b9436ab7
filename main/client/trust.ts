import { createPrivateKey, X509Certificate } from 'node:crypto';
import tls, { type SecureContext, type SecureContextOptions, type TLSSocket } from 'node:tls';
import type {
  CertificateDetails,
  CertificateSource,
  ClientCertificate,
  ConnectionProblem,
  TlsProblem,
} from '../../preload/contract/connection.ts';
import { readLimited } from '../files/read-limited.ts';

/** Why a certificate was refused. */
export type CertificateRejection = { problem: TlsProblem; code: string; certificate?: CertificateDetails };

export type SettingsFailure = { kind: 'connection-settings'; problem: ConnectionProblem; file?: string };

type Read<T> = { ok: true; value: T } | { ok: false; failure: SettingsFailure };

/** Codes of OpenSSL and BoringSSL; the first match counts. An alert comes from the other end. */
const problems: readonly (readonly [pattern: RegExp, problem: TlsProblem])[] = [
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, 'self-signed'],
  [/^(?:SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE))/, 'unknown-issuer'],
  [/^CERT_HAS_EXPIRED$/, 'expired'],
  [/^CERT_NOT_YET_VALID$/, 'not-yet-valid'],
  [/^(?:ERR_TLS_CERT_ALTNAME_|HOSTNAME_MISMATCH)/, 'wrong-host'],
  [/ALERT_(?:\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED)$/, 'client-certificate'],
  // Of the handshake (RFC 8446, 6.2).
  [/(?:WRONG_VERSION_NUMBER|HTTP_REQUEST|HTTPS_PROXY_REQUEST|PACKET_LENGTH_TOO_LONG)$/, 'not-tls'],
  [/(?:ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL)$/, 'version'],
  [/ALERT_NO_APPLICATION_PROTOCOL$/, 'protocol'],
  [/ALERT_UNRECOGNIZED_NAME$/, 'name'],
  [/^(?:CERT_|CRL_|UNABLE_TO_|INVALID_|PATH_LENGTH_|ERR_TLS_CERT_)/, 'untrusted'],
];

export function tlsProblemOf(code: string): TlsProblem {
  return problems.find(([pattern]) => pattern.test(code))?.[1] ?? 'handshake';
}

/** `pinned`: the user trusts the certificate, whatever is wrong with it. */
export type ConnectionSecurity = { protocol: string; pinned: boolean; certificate?: CertificateDetails };

/**
 * Checks the certificate after a handshake. With pins, it must be one of them, and neither its dates nor its names count.
 * Call it once: BoringSSL returns the certificate a single time.
 */
export function checkCertificate(
  socket: TLSSocket,
  pins: readonly string[],
): { ok: true; security: ConnectionSecurity } | { ok: false; refusal: CertificateRejection } {
  const certificate = socket.getPeerX509Certificate();
  const details = certificate && { certificate: detailsOf(certificate) };
  const pinned = certificate !== undefined && pins.includes(certificate.fingerprint256);
  if (pins.length > 0 && !pinned) {
    return { ok: false, refusal: { problem: 'changed', code: 'CERTIFICATE_NOT_PINNED', ...details } };
  }
  if (!pinned && !socket.authorized) {
    // The type says Error; every Node gives a code such as `CERT_HAS_EXPIRED`.
    const code = String(socket.authorizationError);
    return { ok: false, refusal: { problem: tlsProblemOf(code), code, ...details } };
  }
  return { ok: true, security: { protocol: socket.getProtocol() ?? '', pinned, ...details } };
}

function detailsOf(certificate: X509Certificate): CertificateDetails {
  return {
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    names: namesOf(certificate.subjectAltName),
    validFrom: certificate.validFromDate.toISOString(),
    validTo: certificate.validToDate.toISOString(),
    sha256: certificate.fingerprint256,
  };
}

const maxNames = 100;
const maxNameCharacters = 500;

/** The names in `DNS:a.test, IP Address:10.0.0.1`. Node quotes a name with a comma as JSON. */
function namesOf(subjectAltName: string | undefined): string[] {
  const found = [...(subjectAltName ?? '').matchAll(/(?:^|, )[A-Za-z ]+:("(?:[^"\\]|\\.)*"|[^,]*)/g)];
  return found.slice(0, maxNames).map(([, name = '']) => oneLine(name));
}

/** One line of a text of a certificate, which may contain anything. */
function oneLine(text: string): string {
  return text
    .slice(0, maxNameCharacters)
    .replace(/\n/g, ', ')
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}

export type Trust = ReturnType<typeof createTrust>;

/**
 * The TLS contexts for a server and its proxy: the operating system's authorities, the user's own, and the client
 * certificate. Files are read at the first connection, and again after a failure.
 */
export function createTrust(options: {
  authority?: CertificateSource;
  clientCertificate?: ClientCertificate;
  passphrase?: () => Promise<string | undefined>;
  systemCertificates?: () => readonly string[];
  platform?: NodeJS.Platform;
}) {
  const { systemCertificates = systemAuthorities, platform = process.platform } = options;

  const authorities = memoizeSuccess(async (): Promise<Read<string[]>> => {
    const own = options.authority ? await readAuthority(options.authority) : ok([]);
    if (!own.ok) return own;
    return ok([...publicAuthorities(systemCertificates(), platform), ...own.value]);
  });

  const forProxy = memoizeSuccess(async (): Promise<Read<SecureContext>> => {
    const ca = await authorities();
    return ca.ok ? ok(tls.createSecureContext({ ca: ca.value })) : ca;
  });

  const forServer = memoizeSuccess(async (): Promise<Read<SecureContext>> => {
    if (!options.clientCertificate) return forProxy();
    const ca = await authorities();
    if (!ca.ok) return ca;
    return clientContext(options.clientCertificate, ca.value, await options.passphrase?.());
  });

  return {
    /** With the client certificate, which a proxy does not get. */
    forServer,
    forProxy,
  };
}

/**
 * On Linux the system's alone, so that one that was removed there is not trusted here. Those of Electron are added if the
 * system has none, on Windows, which downloads an authority only when it needs it, and on macOS, whose keychain of roots
 * Node does not read.
 */
function publicAuthorities(systemCertificates: readonly string[], platform: NodeJS.Platform): readonly string[] {
  return platform === 'linux' && systemCertificates.length > 0
    ? systemCertificates
    : [...tls.rootCertificates, ...systemCertificates];
}

let systemCache: readonly string[] | undefined;

/** Read once: on Linux it takes some 80 ms. There, Node lists each once per name in the system's folder. */
function systemAuthorities(): readonly string[] {
  systemCache ??= [...new Set(tls.getCACertificates('system'))];
  return systemCache;
}

async function readAuthority(source: CertificateSource): Promise<Read<string[]>> {
  const file = 'file' in source ? { file: source.file } : {};
  const pem = 'pem' in source ? source.pem : (await contentOf(source.file))?.toString('latin1');
  if (pem === undefined) return failed('authority-file', file.file);
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  // OpenSSL skips what it cannot read, and the user would look for the error elsewhere.
  const readable = blocks.length > 0 && blocks.every((block) => isReadable(() => new X509Certificate(block)));
  return readable ? ok(blocks) : failed('authority-content', file.file);
}

async function clientContext(
  certificate: ClientCertificate,
  ca: string[],
  passphrase: string | undefined,
): Promise<Read<SecureContext>> {
  const withPassphrase = passphrase === undefined ? {} : { passphrase };
  if (certificate.form === 'pfx') {
    const pfx = await contentOf(certificate.file);
    if (!pfx) return failed('client-certificate-file', certificate.file);
    return contextOf({ ca, pfx, ...withPassphrase }, (error) =>
      // The texts of BoringSSL and OpenSSL; Node's error has no code.
      /INCORRECT_PASSWORD|mac verify failure/i.test(error)
        ? failed(passphrase === undefined ? 'passphrase-missing' : 'passphrase-wrong', certificate.file)
        : failed('client-certificate-content', certificate.file),
    );
  }
  const cert = await contentOf(certificate.certificateFile);
  if (!cert) return failed('client-certificate-file', certificate.certificateFile);
  const key = await contentOf(certificate.keyFile);
  if (!key) return failed('client-certificate-file', certificate.keyFile);
  if (!isReadable(() => createPrivateKey({ key, ...withPassphrase }))) {
    const encrypted = key.includes('ENCRYPTED');
    if (!encrypted) return failed('client-certificate-content', certificate.keyFile);
    return failed(passphrase === undefined ? 'passphrase-missing' : 'passphrase-wrong', certificate.keyFile);
  }
  return contextOf({ ca, cert, key, ...withPassphrase }, (error) =>
    error.includes('KEY_VALUES_MISMATCH') || error.includes('key values mismatch')
      ? failed('client-key-mismatch', certificate.keyFile)
      : failed('client-certificate-content', certificate.certificateFile),
  );
}

function contextOf(options: SecureContextOptions, explain: (message: string) => Read<never>): Read<SecureContext> {
  try {
    return ok(tls.createSecureContext(options));
  } catch (error) {
    return explain(error instanceof Error ? error.message : '');
  }
}

/** The authorities of a whole operating system are far smaller. */
const maxFileBytes = 4 * 1024 * 1024;

async function contentOf(file: string): Promise<Buffer | undefined> {
  const read = await readLimited(file, maxFileBytes);
  return read.ok ? read.content : undefined;
}

function isReadable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

/** Calls `read` until it succeeds, and then returns that result. */
function memoizeSuccess<T>(read: () => Promise<Read<T>>): () => Promise<Read<T>> {
  let stored: Read<T> | undefined;
  return async () => {
    if (stored) return stored;
    const result = await read();
    if (result.ok) stored = result;
    return result;
  };
}

const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });
const failed = (problem: ConnectionProblem, file?: string): { ok: false; failure: SettingsFailure } => ({
  ok: false,
  failure: { kind: 'connection-settings', problem, ...(file !== undefined && { file }) },
});
