import { z } from 'zod';
import { GuessReason } from './guess-reason.ts';
import { registrationPaths } from './names.ts';

/** SHA-256 of a certificate's DER, as `openssl x509 -fingerprint -sha256` prints it. */
export const Fingerprint = z.string().regex(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/);
export type Fingerprint = z.infer<typeof Fingerprint>;

/** With `socks5` and `socks4` the proxy looks up the name of the server. */
export const proxySchemes = ['http', 'https', 'socks5', 'socks4'] as const;
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
  /** What the operating system says, including its own PAC script and exceptions. */
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
    /** Hosts to ask directly: `example.test` (its subdomains too), `*.example.test`, `10.0.0.0/8`, `host:port`, `*`. */
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

/** Seconds for connecting (with name, proxy and TLS), for waiting for the answer, and for the whole call. */
const TimeLimits = z.object({
  connectSeconds: seconds.default(10),
  firstByteSeconds: seconds.default(20),
  totalSeconds: seconds.default(30),
});
type TimeLimits = z.infer<typeof TimeLimits>;

/** How one server is reached. It holds no secret. What is left out has its default. */
export const ConnectionSettings = z.object({
  proxy: ProxySettings.default({ mode: 'system' }),
  /** It is trusted for this server, beside the authorities of the operating system and the bundled ones. */
  authority: CertificateSource.optional(),
  clientCertificate: ClientCertificate.optional(),
  /** Certificates that the person trusts for this server. If there are any, it must show one of exactly these. */
  pins: z.array(Fingerprint).max(8).default([]),
  limits: TimeLimits.prefault({}),
});
export type ConnectionSettings = z.infer<typeof ConnectionSettings>;

/** What a person chooses about a connection. Which certificate to trust is asked when one is met. */
export const ConnectionChoices = ConnectionSettings.omit({ pins: true });
export type ConnectionChoices = z.infer<typeof ConnectionChoices>;

/** What rests in the vault for a connection. */
export const connectionSecrets = ['proxyPassword', 'passphrase'] as const;
export const ConnectionSecret = z.enum(connectionSecrets);
export type ConnectionSecret = z.infer<typeof ConnectionSecret>;

/**
 * A header that goes along with every call to a server's base URL, such as one that an access gateway asks for. Its
 * value rests in the vault, and is never told to the window.
 */
export const ExtraHeader = z.object({
  name: z.string(),
  /** Whether there is a value. A server that was imported has names only. */
  isSet: z.boolean(),
});
export type ExtraHeader = z.infer<typeof ExtraHeader>;

/** Why a name and a value are no extra header. Each has a sentence of its own. */
export const HeaderProblem = z.enum([
  'name-missing',
  /** It is no token of HTTP (RFC 9110, 5.6.2). */
  'name-characters',
  'name-long',
  /** Llavero writes this header itself, or HTTP does. */
  'name-taken',
  'name-twice',
  'value-missing',
  'value-characters',
  'value-long',
  'too-many',
]);
export type HeaderProblem = z.infer<typeof HeaderProblem>;

/** What was pasted may be far too long: main says so, rather than the bounds of its methods. */
const enteredHeaderText = z.string().max(4_194_304);

const enteredText = z.string().max(65_536);
const enteredPath = z.string().max(longestPath);

/**
 * The same as it was typed into a form, which main reads. An empty text is a choice that was not made. A path is one
 * that main's own dialog gave, or that the server has already: main takes no other, and looks for none.
 */
export const ConnectionInput = z.object({
  proxy: z.discriminatedUnion('mode', [
    z.object({ mode: z.literal('system') }),
    z.object({ mode: z.literal('none') }),
    z.object({ mode: z.literal('pac'), url: enteredText }),
    /** Commas, blanks or lines separate the hosts in `noProxy`. */
    z.object({ mode: z.literal('manual'), address: enteredText, username: enteredText, noProxy: enteredText }),
  ]),
  authorityFile: enteredPath,
  clientCertificate: z.discriminatedUnion('form', [
    z.object({ form: z.literal('none') }),
    z.object({ form: z.literal('pem'), certificateFile: enteredPath, keyFile: enteredPath }),
    z.object({ form: z.literal('pfx'), file: enteredPath }),
  ]),
  limits: z.object({ connectSeconds: enteredText, firstByteSeconds: enteredText, totalSeconds: enteredText }),
  /** What is absent stays as it is. An empty text removes what is there. */
  secrets: z.partialRecord(ConnectionSecret, enteredText),
  /**
   * All extra headers that there are to be; absent when they stay as they are. An empty value keeps the one that is
   * there.
   */
  headers: z
    .array(z.object({ name: enteredHeaderText, value: enteredHeaderText }))
    .max(1_000)
    .optional(),
});
export type ConnectionInput = z.infer<typeof ConnectionInput>;

/** The fields of {@link ConnectionInput} that can be wrong in themselves. */
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

/** A certificate as a person needs it to decide. Its texts come from the server, and are shown as text only. */
export const CertificateDetails = z.object({
  subject: z.string(),
  issuer: z.string(),
  /** The DNS names and IP addresses that it is for. */
  names: z.array(z.string()),
  /** In ISO 8601. */
  validFrom: z.string(),
  validTo: z.string(),
  sha256: Fingerprint,
});
export type CertificateDetails = z.infer<typeof CertificateDetails>;

/** Why either end refused a TLS connection. */
export const TlsProblem = z.enum([
  'self-signed',
  'unknown-issuer',
  'expired',
  'not-yet-valid',
  'wrong-host',
  /** The server showed another certificate than the pinned one, however good. */
  'changed',
  /** The server asks for a client certificate, or refuses the one it got. */
  'client-certificate',
  /** Something else about the certificate is wrong. */
  'untrusted',
  /** What answers speaks no TLS, for example at a plain port. */
  'not-tls',
  /** The other end refuses our versions of TLS. */
  'version',
  /** It does not speak HTTP/1.1 (ALPN). */
  'protocol',
  /** It has nothing under this name (SNI). */
  'name',
  /** No TLS was agreed, for any other reason. */
  'handshake',
]);
export type TlsProblem = z.infer<typeof TlsProblem>;

export const ProxyProblem = z.enum([
  /** Nothing answers at the proxy's address. */
  'unreachable',
  /** The proxy wants a name and a password, or other ones. */
  'credentials',
  /** The proxy will not, or cannot, connect to the server. */
  'refused',
  /** The proxy's own certificate is not trusted. */
  'untrusted',
  /** What answers there is no such proxy. */
  'not-a-proxy',
  /** The system's settings or the PAC script gave no answer, or one that names no proxy we speak. */
  'unresolved',
]);
export type ProxyProblem = z.infer<typeof ProxyProblem>;

/** What is wrong with the files of a connection, found before anything is sent. */
export const ConnectionProblem = z.enum([
  'authority-file',
  'authority-content',
  'client-certificate-file',
  'client-certificate-content',
  'client-key-mismatch',
  'passphrase-missing',
  'passphrase-wrong',
  /** An extra header has no value, or the vault does not give it now. */
  'header-value-missing',
]);
export type ConnectionProblem = z.infer<typeof ConnectionProblem>;

/** Why a text is no description. */
export const InterfaceProblem = z.enum([
  'too-large',
  'not-json',
  'unknown-key',
  'missing',
  'wrong-value',
  'too-many',
  /** `{{x}}` names nothing that may stand there. */
  'unknown-placeholder',
  'placeholder-not-here',
  /** It would lead away from the server's address. */
  'path-leads-away',
  'header-taken',
  'name-taken',
  'body-with-get',
  'cookie-too-wide',
  /** A form has no types: its values are texts. */
  'form-value',
  'query-not-here',
  'secret-default',
  /** An output that a session is kept by is always a secret. */
  'secret-output',
]);
export type InterfaceProblem = z.infer<typeof InterfaceProblem>;

/** What is wrong, where (`calls.login.path`), and which name it is about. */
export const InterfaceFault = z.object({ problem: InterfaceProblem, at: z.string(), name: z.string().optional() });
export type InterfaceFault = z.infer<typeof InterfaceFault>;

/** A part of a description that is a guess, until a login works by it. */
const InterfaceGuess = z.object({ at: z.string().max(300), why: GuessReason.optional() });
export type InterfaceGuess = z.infer<typeof InterfaceGuess>;
const guesses = z.array(InterfaceGuess).max(50).optional();

/** In characters of a file. A description comes from somebody else's repository. */
export const longestDescription = 65_536;
/** A description has no more of its own variables. */
const mostVariables = 50;

/** What a person entered of a server's interface. */
export const InterfaceInput = z.object({
  /** The description as given. It is empty for Llavero's own, and absent where it stays as it is. */
  text: z.string().max(longestDescription).optional(),
  /** All that are entered. An empty value is the description's own, and for a secret one that which is kept. */
  variables: z.array(z.object({ name: z.string().max(50), value: z.string().max(8_000) })).max(mostVariables),
  /** What of a new text is a guess. */
  guesses,
});
export type InterfaceInput = z.infer<typeof InterfaceInput>;

/** A variable as the form shows it. The value of a secret one is never here. */
const ShownVariable = z.object({
  name: z.string(),
  description: z.string().optional(),
  secret: z.boolean(),
  /** Whether there is a value: one that was entered, or the description's own. */
  isSet: z.boolean(),
  /** What was entered. */
  value: z.string().optional(),
  /** What counts where nothing is entered. */
  usual: z.string().optional(),
});

/** An interface as the screens show it, with the calls as people write them: `POST /api/auth/local`. */
export const InterfaceSummary = z.object({
  name: z.string(),
  about: z.string().optional(),
  /** Of the text of the description, in hexadecimal. It is absent for Llavero's own. */
  digest: z.string().optional(),
  calls: z.object({
    /** The first one, where there are two. */
    register: z.string().optional(),
    login: z.string(),
    profile: z.string(),
    logout: z.string().optional(),
    refresh: z.string().optional(),
  }),
  /** Empty where accounts are made elsewhere. */
  registrations: z.array(z.enum(registrationPaths)),
  /** What a registration takes. */
  fields: z.array(z.string()),
  /** It is there where logging in takes a user name, and no email. */
  byUsername: z.literal(true).optional(),
  logout: z.boolean(),
  /** Whether the session is a cookie. */
  cookie: z.boolean(),
  variables: z.array(ShownVariable),
  guesses,
});
export type InterfaceSummary = z.infer<typeof InterfaceSummary>;

/** One call as it is sent. `{{x}}` in a text names what is filled in. */
export type RequestPreview = {
  call: 'register' | 'login' | 'profile' | 'logout' | 'refresh';
  method: string;
  path: string;
  /** Members of the body, by their places in it, and headers. */
  parts: { name: string; value: string; isHeader: boolean }[];
};

/** What a text was read as: what would be sent, or all that is wrong with it. `token` is its place in an answer. */
export type InterfacePreview =
  | { readable: true; interface: InterfaceSummary; sent: RequestPreview[]; token?: string | undefined }
  | { readable: false; faults: InterfaceFault[] };

/** A description that comes with the application. */
export type ShippedInterface = {
  id: string;
  name: string;
  login: string;
  /** The version that it was last proved against, and the day; absent for one that was made by documents alone. */
  proved?: { version: string; on: string } | undefined;
  text: string;
};
