import { z } from 'zod';
import { GuessReason } from './guess-reason.ts';
import { proxySchemes, registrationPaths } from './names.ts';

/** SHA-256 of a certificate's DER, as `openssl x509 -fingerprint -sha256` prints it. */
export const Fingerprint = z.string().regex(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/);
export type Fingerprint = z.infer<typeof Fingerprint>;

export const ProxyScheme = z.enum(proxySchemes);
export type ProxyScheme = z.infer<typeof ProxyScheme>;

/** A proxy without its credentials: the user name is a setting, the password is in the vault. */
export const ProxyAddress = z.object({
  scheme: ProxyScheme,
  /** A name or an IP address. IPv6 has no brackets. */
  host: z.string().min(1).max(253),
  port: z.int().min(1).max(65_535),
});
export type ProxyAddress = z.infer<typeof ProxyAddress>;

/**
 * An address of the web, or of a file of this computer: one with a host, or with two slashes in its path, leads to another
 * computer on Windows.
 */
const pacAddress = /^(?:https?:|file:\/\/\/(?!.*(?:[/\\]{2}|\\|%2f|%5c|\s))[^/])/i;

export const ProxySettings = z.discriminatedUnion('mode', [
  /** That of the operating system, with its PAC script and exceptions. */
  z.object({ mode: z.literal('system') }),
  z.object({ mode: z.literal('none') }),
  z.object({
    mode: z.literal('pac'),
    url: z
      .url({ protocol: /^(?:https?|file)$/ })
      .max(2_000)
      .regex(pacAddress),
  }),
  z.object({
    mode: z.literal('manual'),
    proxy: ProxyAddress,
    username: z.string().min(1).max(255).optional(),
    /** Hosts without a proxy: `example.test` (its subdomains too), `*.example.test`, `10.0.0.0/8`, `host:port`, `*`. */
    noProxy: z.array(z.string().min(1).max(300)).max(200).default([]),
  }),
]);
export type ProxySettings = z.infer<typeof ProxySettings>;

const longestPath = 4_096;
const filePath = z.string().min(1).max(longestPath);

/** One or more certificates in PEM, as text or in a file that is read at each start. */
export const CertificateSource = z.union([z.object({ file: filePath }), z.object({ pem: z.string().max(262_144) })]);
export type CertificateSource = z.infer<typeof CertificateSource>;

/** Private keys stay in their files; the passphrase is in the vault. */
export const ClientCertificate = z.discriminatedUnion('form', [
  z.object({ form: z.literal('pem'), certificateFile: filePath, keyFile: filePath }),
  z.object({ form: z.literal('pfx'), file: filePath }),
]);
export type ClientCertificate = z.infer<typeof ClientCertificate>;

const seconds = z.number().min(1).max(600);

/** Timeouts in seconds: for connecting (with DNS, proxy and TLS), for the response head, and for the whole call. */
const TimeLimits = z.object({
  connectSeconds: seconds.default(10),
  firstByteSeconds: seconds.default(20),
  totalSeconds: seconds.default(30),
});
type TimeLimits = z.infer<typeof TimeLimits>;

/** The connection settings of a server, without secrets. */
export const ConnectionSettings = z.object({
  proxy: ProxySettings.default({ mode: 'system' }),
  /** Trusted for this server, in addition to those of the operating system and the bundled ones. */
  authority: CertificateSource.optional(),
  clientCertificate: ClientCertificate.optional(),
  /** Pinned certificates. If there are any, the server must present one of them. */
  pins: z.array(Fingerprint).max(8).default([]),
  limits: TimeLimits.prefault({}),
});
export type ConnectionSettings = z.infer<typeof ConnectionSettings>;

/** The settings that the form has. Certificates are pinned when one is met. */
export const ConnectionChoices = ConnectionSettings.omit({ pins: true });
export type ConnectionChoices = z.infer<typeof ConnectionChoices>;

/** Names of the secrets of a connection in the vault. */
export const connectionSecrets = ['proxyPassword', 'passphrase'] as const;
export const ConnectionSecret = z.enum(connectionSecrets);
export type ConnectionSecret = z.infer<typeof ConnectionSecret>;

/** A header of every call to a server's base URL, such as one for an access gateway. Its value never leaves main. */
export const ExtraHeader = z.object({
  name: z.string(),
  /** False for a header of an imported server until its value is entered. */
  isSet: z.boolean(),
});
export type ExtraHeader = z.infer<typeof ExtraHeader>;

/** Why an extra header is invalid. */
export const HeaderProblem = z.enum([
  'name-missing',
  /** Not a token (RFC 9110, 5.6.2). */
  'name-characters',
  'name-long',
  /** Set by Llavero or HTTP itself. */
  'name-taken',
  'name-twice',
  'value-missing',
  'value-characters',
  'value-long',
  'too-many',
]);
export type HeaderProblem = z.infer<typeof HeaderProblem>;

/** Above the limits of the fields, so that main can name the field that is too long. */
const enteredHeaderText = z.string().max(4_194_304);

const enteredText = z.string().max(65_536);
const enteredPath = z.string().max(longestPath);

/**
 * As entered in the form. An empty text is not set. Paths must come from main's file dialog, or be those that the server
 * has already: main rejects others.
 */
export const ConnectionInput = z.object({
  proxy: z.discriminatedUnion('mode', [
    z.object({ mode: z.literal('system') }),
    z.object({ mode: z.literal('none') }),
    z.object({ mode: z.literal('pac'), url: enteredText }),
    /** `noProxy` is separated by commas, blanks or line ends. */
    z.object({ mode: z.literal('manual'), address: enteredText, username: enteredText, noProxy: enteredText }),
  ]),
  authorityFile: enteredPath,
  clientCertificate: z.discriminatedUnion('form', [
    z.object({ form: z.literal('none') }),
    z.object({ form: z.literal('pem'), certificateFile: enteredPath, keyFile: enteredPath }),
    z.object({ form: z.literal('pfx'), file: enteredPath }),
  ]),
  limits: z.object({ connectSeconds: enteredText, firstByteSeconds: enteredText, totalSeconds: enteredText }),
  /** Absent ones stay as they are; an empty text removes one. */
  secrets: z.partialRecord(ConnectionSecret, enteredText),
  /** All extra headers; absent if they stay as they are. An empty value keeps the stored one. */
  headers: z
    .array(z.object({ name: enteredHeaderText, value: enteredHeaderText }))
    .max(1_000)
    .optional(),
});
export type ConnectionInput = z.infer<typeof ConnectionInput>;

/** The fields of {@link ConnectionInput} that are validated. */
export const ConnectionField = z.enum([
  'proxy',
  'proxyUsername',
  'pac',
  'noProxy',
  'authorityFile',
  'clientCertificate',
  'limits',
]);
export type ConnectionField = z.infer<typeof ConnectionField>;

/** A certificate for display. Its texts come from the server, and are untrusted. */
export const CertificateDetails = z.object({
  subject: z.string(),
  issuer: z.string(),
  /** DNS names and IP addresses. */
  names: z.array(z.string()),
  /** In ISO 8601. */
  validFrom: z.string(),
  validTo: z.string(),
  sha256: Fingerprint,
});
export type CertificateDetails = z.infer<typeof CertificateDetails>;

/** Why a TLS handshake failed. */
export const TlsProblem = z.enum([
  'self-signed',
  'unknown-issuer',
  'expired',
  'not-yet-valid',
  'wrong-host',
  /** The certificate is not one of the pinned ones. */
  'changed',
  /** The server requires a client certificate, or refuses the one that was sent. */
  'client-certificate',
  /** Something else about the certificate is wrong. */
  'untrusted',
  /** The response is no TLS, for example at a plain port. */
  'not-tls',
  /** No common version of TLS. */
  'version',
  /** No HTTP/1.1 (ALPN). */
  'protocol',
  /** Unknown host name (SNI). */
  'name',
  /** Any other reason. */
  'handshake',
]);
export type TlsProblem = z.infer<typeof TlsProblem>;

export const ProxyProblem = z.enum([
  /** The proxy does not respond. */
  'unreachable',
  /** The proxy requires credentials, or refused these. */
  'credentials',
  /** The proxy did not connect to the server. */
  'refused',
  /** The proxy's own certificate is not trusted. */
  'untrusted',
  /** The response is not that of such a proxy. */
  'not-a-proxy',
  /** The system's settings or the PAC script gave no result, or an unsupported proxy. */
  'unresolved',
]);
export type ProxyProblem = z.infer<typeof ProxyProblem>;

/** A problem with the files or secrets of a connection, found before anything is sent. */
export const ConnectionProblem = z.enum([
  'authority-file',
  'authority-content',
  'client-certificate-file',
  'client-certificate-content',
  'client-key-mismatch',
  'passphrase-missing',
  'passphrase-wrong',
  /** An extra header has no value, or it cannot be read from the vault. */
  'header-value-missing',
]);
export type ConnectionProblem = z.infer<typeof ConnectionProblem>;

/** Why an API description is invalid. */
export const InterfaceProblem = z.enum([
  'too-large',
  'not-json',
  'unknown-key',
  'missing',
  'wrong-value',
  'too-many',
  /** `{{x}}` is not allowed there. */
  'unknown-placeholder',
  'placeholder-not-here',
  /** It leads to another origin. */
  'path-leads-away',
  'header-taken',
  'name-taken',
  'body-with-get',
  'cookie-too-wide',
  /** Values of form bodies must be strings. */
  'form-value',
  'query-not-here',
  'secret-default',
  /** The credential of a session must be secret. */
  'secret-output',
]);
export type InterfaceProblem = z.infer<typeof InterfaceProblem>;

/** `at` is the path in the description, such as `calls.login.path`. */
export const InterfaceFault = z.object({ problem: InterfaceProblem, at: z.string(), name: z.string().optional() });
export type InterfaceFault = z.infer<typeof InterfaceFault>;

/** A part of a description that is a guess until a login with it succeeds. */
const InterfaceGuess = z.object({ at: z.string().max(300), why: GuessReason.optional() });
export type InterfaceGuess = z.infer<typeof InterfaceGuess>;
const guesses = z.array(InterfaceGuess).max(50).optional();

/** In characters: the file comes from someone else. */
export const longestDescription = 65_536;
/** Of a description's own variables. */
const mostVariables = 50;

/** The API description and its variables as entered. */
export const InterfaceInput = z.object({
  /** Empty for the default API; absent if it stays as it is. */
  text: z.string().max(longestDescription).optional(),
  /** An empty value is the default of the description, and of a secret variable the stored one. */
  variables: z.array(z.object({ name: z.string().max(50), value: z.string().max(8_000) })).max(mostVariables),
  /** The guessed parts of a new text. */
  guesses,
});
export type InterfaceInput = z.infer<typeof InterfaceInput>;

/** A variable for the form. The value of a secret one is never here. */
const ShownVariable = z.object({
  name: z.string(),
  description: z.string().optional(),
  secret: z.boolean(),
  /** Whether there is a value, entered or by default. */
  isSet: z.boolean(),
  value: z.string().optional(),
  /** The default. */
  usual: z.string().optional(),
});

/** A summary for display, with calls such as `POST /api/auth/local`. */
const AccountFeatures = z.object({
  /** `offered`: no response asks for a code, so the login form has a field for one. */
  secondFactor: z.enum(['asked', 'offered']).optional(),
  /** Whether the call has the current password, too. */
  changePassword: z.object({ current: z.boolean() }).optional(),
  /** Whether the call has the password. */
  deleteAccount: z.object({ password: z.boolean() }).optional(),
  forgotPassword: z.literal(true).optional(),
  resendConfirmation: z.literal(true).optional(),
});
export type AccountFeatures = z.infer<typeof AccountFeatures>;

export const InterfaceSummary = z.object({
  name: z.string(),
  about: z.string().optional(),
  /** SHA-256 of the text, in hexadecimal. Absent for the default API. */
  digest: z.string().optional(),
  calls: z.object({
    /** The first of two. */
    register: z.string().optional(),
    login: z.string(),
    profile: z.string(),
    logout: z.string().optional(),
    refresh: z.string().optional(),
  }),
  /** Empty if the API has no registration. */
  registrations: z.array(z.enum(registrationPaths)),
  /** The fields of the registration. */
  fields: z.array(z.string()),
  /** Set if the login takes a user name instead of an email. */
  byUsername: z.literal(true).optional(),
  logout: z.boolean(),
  /** Whether the session is a cookie. */
  cookie: z.boolean(),
  /** The calls about the account itself. Absent if the API has none of them. */
  account: AccountFeatures.optional(),
  variables: z.array(ShownVariable),
  guesses,
});
export type InterfaceSummary = z.infer<typeof InterfaceSummary>;

/** A request for preview, with `{{x}}` for values. */
export type RequestPreview = {
  call: 'register' | 'login' | 'profile' | 'logout' | 'refresh';
  method: string;
  path: string;
  /** Fields of the body, by their paths, and headers. */
  parts: { name: string; value: string; isHeader: boolean }[];
};

/** The requests of a description, or its faults. `token` is the path of the token in a response. */
export type InterfacePreview =
  | { readable: true; interface: InterfaceSummary; sent: RequestPreview[]; token?: string | undefined }
  | { readable: false; faults: InterfaceFault[] };

/** An API description that is part of Llavero. */
export type ShippedInterface = {
  id: string;
  name: string;
  login: string;
  /** The version and day of the last test against the real server; absent if it was written by documentation alone. */
  proved?: { version: string; on: string } | undefined;
  text: string;
};
