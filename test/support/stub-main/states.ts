import type {
  AppState,
  ConnectionReport,
  Environment,
  HeldSession,
  Session,
  Understanding,
  User,
} from '../../../preload/contract/models.ts';

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
} satisfies Partial<Environment>;

/** What main tells at a first start with the built-in service. */
export const firstStart: AppState = {
  revision: 1,
  version: '0.1.0',
  electron: { version: '42.0.0', thirdParty: true },
  settings: { language: 'en', theme: 'light' },
  language: 'en',
  environments: [{ ...plain, id: 'built-in', builtIn: true, name: '', baseUrl: 'http://127.0.0.1:4848' }],
  activeEnvironmentId: 'built-in',
  sessions: [],
  service: { state: 'running', baseUrl: 'http://127.0.0.1:4848' },
  vault: { state: 'protected', backend: 'gnome-libsecret' },
  files: [],
  session: { step: 'signed-out' },
};

export const staging: Environment = {
  ...plain,
  id: 'staging',
  builtIn: false,
  name: 'staging.example.test:8000/app',
  baseUrl: 'http://staging.example.test:8000/app',
};

export const production: Environment = {
  ...plain,
  id: 'production',
  builtIn: false,
  name: 'Shop',
  colour: 'red',
  notes: 'Ask Eva before any change.',
  production: true,
  baseUrl: 'https://shop.example.test',
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
};

/** One session of each kind. */
export const heldSessions: HeldSession[] = [
  {
    id: 's1',
    environmentId: 'built-in',
    account: 'ana@example.test',
    name: 'Ana Prueba',
    tokenId: '41',
    madeAt: '2026-11-20T08:01:02.000Z',
    checkedAt: '2026-11-21T08:01:02.000Z',
    baseUrl: 'http://127.0.0.1:4848',
    state: 'usable',
  },
  {
    id: 's2',
    environmentId: 'built-in',
    account: 'bea@example.test',
    baseUrl: 'http://127.0.0.1:4848',
    state: 'usable',
  },
  {
    id: 's3',
    environmentId: 'production',
    account: 'ana@example.test',
    baseUrl: 'https://old.example.test',
    state: 'other-address',
  },
  {
    id: 's4',
    environmentId: 'built-in',
    account: 'carl@example.test',
    tokenId: '42',
    baseUrl: 'http://127.0.0.1:4848',
    state: 'to-revoke',
  },
];

export const ana: User = {
  id: '7',
  name: 'Ana Prueba',
  email: 'ana@example.test',
  rest: [
    { masked: false, path: 'created_at', value: '2026-11-21T08:01:02.000Z' },
    { masked: false, path: 'address.city', value: 'Málaga' },
    { masked: false, path: 'bio', value: '<img src=x onerror=alert(1)>' },
    { masked: true, path: 'password_hash' },
  ],
};

export const signedIn: Extract<Session, { step: 'signed-in' }> = {
  step: 'signed-in',
  sessionId: 's1',
  user: ana,
  check: { state: 'checked', at: '2026-11-21T08:01:02.000Z' },
  understood: [],
};

export const understood: Understanding[] = [
  {
    operation: 'login',
    verdict: 'ok',
    rule: 'a 2xx login with a token',
    found: [{ what: 'token', path: 'datos.access_token', rule: 'a field named access_token' }],
  },
  {
    operation: 'perfil',
    verdict: 'ok',
    rule: 'status 2xx and nothing that says otherwise',
    found: [{ what: 'user', path: 'datos.usuario', rule: 'an object with fields of a user' }],
  },
];

export const report: ConnectionReport = {
  reached: true,
  baseUrl: 'https://shop.example.test',
  secure: true,
  status: 401,
  milliseconds: 48,
  answered: 'asks-for-token',
  software: 'nginx',
};
