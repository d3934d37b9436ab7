const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');

const described = {
  name: 'Shop',
  about: 'An API with a user name',
  digest: 'a'.repeat(64),
  calls: {
    register: 'POST /register',
    login: 'POST /login',
    profile: 'GET /me',
    logout: 'POST /logout',
    refresh: 'POST /r',
  },
  registrations: ['register'],
  fields: ['email'],
  byUsername: true,
  logout: true,
  cookie: false,
  variables: [{ name: 'key', description: 'A key', secret: false, isSet: true, value: 'v', usual: 'u' }],
  guesses: [{ at: 'calls.login.path' }],
  text: '{}',
};

const common = {
  name: 'Shop',
  colour: 'blue',
  notes: 'Staging',
  registrationPath: 'register',
  dialect: { learned: { token: 'data.token' }, pinned: { user: 'data.user' } },
  interface: described,
};

/** A content of `config.json` with all that it may have. */
export const wholeConfig = {
  version: 1,
  settings: {
    language: 'es',
    theme: 'dark',
    lockAfterMinutes: 5,
    lockOnScreenLock: true,
    lockOnSleep: true,
    clearOnQuit: true,
    callsPerSecond: 2,
    workbench: true,
    welcomed: true,
    notifications: true,
    presenting: true,
    lookForUpdates: false,
  },
  callLimits: { count: 100, bytes: 2_000_000 },
  service: {
    loginsPerMinute: 7,
    registrationsPerMinute: 8,
    tokenDays: 9,
    argon2: { memoryKiB: 8, passes: 1, lanes: 1 },
  },
  servers: [
    { id: 'built-in', baseUrl: '' },
    {
      id: 'shop',
      ...common,
      baseUrl: 'https://shop.example.test',
      production: true,
      pins: [fingerprint],
      connection: {
        proxy: {
          mode: 'manual',
          proxy: { scheme: 'http', host: 'proxy.example.test', port: 3128 },
          username: 'ana',
          noProxy: ['example.test'],
        },
        authority: { pem: 'PEM' },
        clientCertificate: { form: 'pfx', file: '/home/ana/client.pfx' },
        limits: { connectSeconds: 1, firstByteSeconds: 2, totalSeconds: 3 },
      },
      secrets: ['proxyPassword'],
      extraHeaders: [{ name: 'x-gate', isSet: true }],
      agreed: ['https://shop.example.test'],
      file: { path: '/home/ana/llavero.servers.json', name: 'Shop' },
    },
    {
      id: 'mock-01234567-89ab-4def-8123-456789abcdef',
      ...common,
      mock: {
        of: 'Shop',
        originUrl: 'https://shop.example.test',
        originId: 'shop',
        measuredAt: '2026-11-02T10:00:00.000Z',
        port: 3210,
        compared: { cases: 41, differences: 0 },
      },
    },
  ],
  activeServerId: 'shop',
  sessions: {
    one: {
      id: 'one',
      serverId: 'shop',
      vaultAccount: 'token one',
      account: 'ana@example.test',
      baseUrl: 'https://shop.example.test',
      interface: 'a'.repeat(64),
      loopbackAddress: '127.0.0.1',
      user: { id: '7', name: 'Ana', email: 'ana@example.test' },
      tokenId: '12',
      madeAt: '2026-11-02T10:00:00.000Z',
      checkedAt: '2026-11-02T10:00:00.000Z',
      renewedAt: '2026-11-02T10:00:00.000Z',
      renews: true,
      renewing: true,
      end: { at: '2026-12-02T10:00:00.000Z', by: 'expires_at', in: 'answer' },
      memoryOnly: true,
      loggedOutAt: '2026-11-02T11:00:00.000Z',
      tellLater: true,
    },
  },
  currentSessions: { shop: 'one' },
  lastEmails: { shop: 'ana@example.test' },
  allowedOrigins: { 'built-in': ['http://localhost:5173'] },
  unfinishedImports: [{ any: 'thing' }],
  zoom: 1.5,
  window: { x: 1, y: 2, width: 800, height: 600, maximized: false },
};

type Path = (string | number)[];

/** The paths of all parts of a JSON value, the outer ones first. */
export function pathsOf(value: unknown, above: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const names = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return names.flatMap((name) => {
    const path: Path = above.concat(name);
    return [path].concat(pathsOf(Reflect.get(value, name), path));
  });
}

/** A copy of a JSON value with another part at a path, or without it. Nothing changes if the path leads nowhere. */
export function withPart(value: unknown, path: Path, part: unknown): unknown {
  const copy: unknown = structuredClone(value);
  const last = path.at(-1)!;
  let parent: unknown = copy;
  for (const name of path.slice(0, -1)) parent = Object(parent)[name];
  if (typeof parent !== 'object' || parent === null) return copy;
  if (part === undefined) Reflect.deleteProperty(parent, last);
  else Reflect.set(parent, last, part);
  return copy;
}
