import type {
  LastCall,
  ConnectionReport,
  AppState,
  Server,
  SessionInfo,
  LockedState,
  AuthState,
  UserProfile,
} from '../../../preload/contract/models.ts';
import type { Update } from '../../../preload/contract/about.ts';
import { sentRows } from '../sent-rows.ts';

const plain = {
  colour: 'gray',
  notes: '',
  registrationPath: 'registro',
  production: false,
  pinned: {},
  learned: {},
  pins: [],
  connection: {
    proxy: { mode: 'system' },
    limits: { connectSeconds: 10, firstByteSeconds: 20, totalSeconds: 30 },
  },
  secrets: [],
  extraHeaders: [],
  interface: {
    name: 'Llavero',
    calls: {
      register: 'POST /api/v1/auth/registro',
      login: 'POST /api/v1/auth/login',
      profile: 'GET /api/v1/auth/perfil',
      logout: 'POST /api/v1/auth/salir',
    },
    registrations: ['registro', 'register'],
    fields: ['name', 'email', 'password', 'cpassword'],
    logout: true,
    cookie: false,
    variables: [],
  },
  lastCalls: [],
} satisfies Partial<Server>;

/** A call that was answered, so long before the moment at which the clock of the pictures stands still. */
const answeredAgo = (seconds: number, more: Partial<LastCall> = {}): LastCall => ({
  method: 'GET',
  operation: 'profile',
  status: 200,
  answered: true,
  ms: 38,
  at: new Date(Date.parse('2026-11-22T09:30:15Z') - seconds * 1000).toISOString(),
  ...more,
});

/** Main tells this at a first start with the built-in server. */
export const firstStart: AppState = {
  version: '0.1.0',
  electron: { version: '42.0.0', thirdParty: true },
  settings: {
    language: 'en',
    theme: 'light',
    lockAfterMinutes: 0,
    lockOnScreenLock: false,
    lockOnSleep: false,
    clearOnQuit: false,
    callsPerSecond: 5,
    workbench: true,
    welcomed: true,
    notifications: false,
    presenting: false,
    lookForUpdates: true,
  },
  locked: false,
  pin: false,
  screenReader: false,
  language: 'en',
  servers: [{ ...plain, id: 'built-in', builtIn: true, name: '', baseUrl: 'http://127.0.0.1:4848' }],
  activeServerId: 'built-in',
  clockAheadMs: 0,
  sessions: [],
  builtIn: { state: 'running', baseUrl: 'http://127.0.0.1:4848' },
  vault: { state: 'protected', backend: 'gnome_libsecret', unreadable: 0, before: [] },
  behaviour: { isOn: false, dialect: null, defects: [], faults: [], left: [], seed: 1 },
  files: [],
  updates: { state: 'off', why: 'not-configured' },
  session: { step: 'signed-out' },
  asking: false,
};

/** A newer version that the application takes in itself. */
export const announced: Update = {
  version: '0.2.0',
  notes: 'Faster log in.\n\n- The rail keeps its width.\n- A session that ends says so a minute before.',
  by: 'application',
  bytes: 118_000_000,
};

/** Main tells this while the application is locked with a PIN. */
export const locked: LockedState = {
  version: firstStart.version,
  electron: firstStart.electron,
  settings: firstStart.settings,
  language: firstStart.language,
  locked: true,
  pin: true,
  screenReader: false,
  files: [],
  cause: 'idle',
  triesLeft: 5,
};

/** The built-in server after a few calls, of which one was refused and one is of no operation. */
export const builtInAsked: Server = {
  ...firstStart.servers[0]!,
  lastCalls: [
    answeredAgo(12),
    answeredAgo(60, { method: 'POST', operation: 'login', ms: 142 }),
    answeredAgo(75, { method: 'POST', operation: 'login', status: 422, ms: 139 }),
    answeredAgo(80, { method: 'OPTIONS', operation: undefined, status: 204, ms: 1 }),
    answeredAgo(90_000, { status: undefined, answered: false, failure: 'refused', ms: 3 }),
  ],
};

export const staging: Server = {
  ...plain,
  id: 'staging',
  builtIn: false,
  name: 'staging.example.test:8000/app',
  baseUrl: 'http://staging.example.test:8000/app',
  lastCalls: [answeredAgo(70, { status: 503, ms: 9 })],
};

const longHost = 'accounts-preview.eu-west-1.development.examplecompany.test:8443/application/v2';
/** Its name and its address have words that are as wide as a list, and more than one of them. */
export const longHosts: Server = { ...staging, name: longHost, baseUrl: `https://${longHost}` };

export const production: Server = {
  ...plain,
  id: 'production',
  builtIn: false,
  name: 'Shop',
  colour: 'red',
  notes: 'Ask Eva before any change.',
  production: true,
  baseUrl: 'https://shop.example.test',
  lastCalls: [answeredAgo(7_400, { ms: 52 })],
  learned: { token: 'datos.access_token', user: 'datos.usuario' },
  pins: [`AB${':CD'.repeat(31)}`],
  pinned: { message: 'mensaje' },
  connection: {
    proxy: {
      mode: 'manual',
      proxy: { scheme: 'http', host: 'proxy.example.test', port: 3128 },
      username: 'ana',
      noProxy: ['localhost', '10.0.0.0/8'],
    },
    authority: { file: '/home/ana/authority.pem' },
    clientCertificate: { form: 'pfx', file: '/home/ana/ana.pfx' },
    limits: { connectSeconds: 5, firstByteSeconds: 20, totalSeconds: 60 },
  },
  secrets: ['proxyPassword', 'passphrase'],
  extraHeaders: [
    { name: 'CF-Access-Client-Id', isSet: true },
    { name: 'CF-Access-Client-Secret', isSet: true },
    { name: 'X-Api-Key', isSet: false },
  ],
};

/** One session of each kind. */
export const heldSessions: SessionInfo[] = [
  {
    id: 's1',
    serverId: 'built-in',
    account: 'ana@example.test',
    name: 'Ana Prueba',
    tokenId: '41',
    madeAt: '2026-11-20T08:01:02.000Z',
    checkedAt: '2026-11-21T08:01:02.000Z',
    // No test may depend on the day on which it runs.
    end: { at: '2046-12-20T08:01:02.000Z', by: 'expires_at', in: 'answer' },
    baseUrl: 'http://127.0.0.1:4848',
    isDemo: false,
    state: 'usable',
  },
  {
    id: 's2',
    serverId: 'built-in',
    account: 'bea@example.test',
    baseUrl: 'http://127.0.0.1:4848',
    isDemo: false,
    state: 'usable',
  },
  {
    id: 's3',
    serverId: 'production',
    account: 'ana@example.test',
    baseUrl: 'https://shop.example.test',
    isDemo: false,
    state: 'usable',
  },
  {
    id: 's4',
    serverId: 'built-in',
    account: 'carl@example.test',
    tokenId: '42',
    baseUrl: 'http://127.0.0.1:4848',
    isDemo: false,
    state: 'to-revoke',
  },
];

/** A mock server of that server, which runs and differs in nothing. */
export const stagingMock = {
  ...plain,
  id: 'mock-00000000-0000-4000-8000-000000000001',
  builtIn: false,
  name: 'Mock of Staging',
  colour: 'teal',
  baseUrl: 'http://127.0.0.1:4860',
  mock: {
    of: 'Staging',
    originUrl: staging.baseUrl,
    originId: staging.id,
    measuredAt: '2026-11-20T07:15:00.000Z',
    run: { state: 'running' },
    verification: { state: 'compared', cases: 61, differences: 0 },
    clockAheadMs: 0,
    behaviour: { isOn: false, dialect: null, defects: [], faults: [], left: [], seed: 1 },
  },
} satisfies Server;

/** Sessions of which one ends soon, one is past its end, one ends in a month, and one waits for its server. */
export const endingSessions: SessionInfo[] = [
  { end: { at: '2026-11-22T09:34:15.000Z', by: 'expires_at', in: 'answer' }, expiryState: 'soon' } as const,
  { end: { at: '2026-11-22T08:30:15.000Z', by: 'exp', in: 'token' }, expiryState: 'over' } as const,
  { end: { at: '2026-12-22T08:30:15.000Z', by: 'exp', in: 'token' } } as const,
  { logoutPending: true } as const,
].flatMap((more, index) => (heldSessions[index] ? [Object.assign({}, heldSessions[index], more)] : []));

export const anaProfile: UserProfile = {
  id: '7',
  name: 'Ana Prueba',
  email: 'ana@example.test',
  rest: sentRows({
    created_at: '2026-11-21T08:01:02.000Z',
    'address.city': 'Málaga',
    bio: '<img src=x onerror=alert(1)>',
    password_hash: 'something',
  }),
};

export const signedIn: Extract<AuthState, { step: 'signed-in' }> = {
  step: 'signed-in',
  sessionId: 's1',
  user: anaProfile,
  check: { state: 'checked', at: '2026-11-21T08:01:02.000Z' },
};

export const connectionReport: ConnectionReport = {
  reached: true,
  baseUrl: 'https://shop.example.test',
  secure: true,
  status: 401,
  milliseconds: 48,
  answered: 'asks-for-token',
  software: 'nginx',
};

/** The built-in server with something of everything that it can do wrong. */
export const misbehaving: AppState['behaviour'] = {
  isOn: true,
  dialect: 'spring',
  defects: ['stack-traces', 'password-echoed'],
  faults: [
    { operation: 'login', kind: '429', amount: { count: 3 }, parameter: { least: 5, most: 5 } },
    { operation: 'profile', kind: 'latency', amount: { probability: 0.2 }, parameter: { least: 100, most: 900 } },
  ],
  left: [2, null],
  seed: 7,
};

/** The demo person's session. */
export const demoSession: SessionInfo = {
  id: 's1',
  serverId: 'built-in',
  account: 'demo@llavero.invalid',
  name: 'Alba Demo',
  tokenId: '41',
  baseUrl: 'http://127.0.0.1:4848',
  isDemo: true,
  state: 'usable',
};
