import type { AppState, SessionNotice, Server, VaultStatus } from '../../../../preload/contract/models.ts';
import { several, simple, type Scene } from '../scene.ts';
import { anaProfile, firstStart, heldSessions, misbehaving, production, signedIn, staging } from '../states.ts';

const locked: VaultStatus = { state: 'locked' };
const changed: VaultStatus = { state: 'protected', backend: 'kwallet6', unreadable: 2, before: ['gnome_libsecret'] };

const manyServers: Server[] = [
  ...firstStart.servers,
  staging,
  production,
  ...Array.from({ length: 30 }, (_, number): Server => ({
    ...staging,
    id: `server-${number}`,
    name: `Server ${number}`,
    colour: 'teal',
    pins: number % 2 === 0 ? [] : production.pins,
    baseUrl: `http${number % 2 === 0 ? '' : 's'}://server-${number}.example.test`,
  })),
];

const laterStates: Partial<AppState>[] = [
  { behaviour: misbehaving },
  { builtIn: { state: 'running', baseUrl: 'http://127.0.0.1:43127' } },
  { vault: { state: 'not-asked' } },
  { vault: { state: 'asking' } },
  { vault: locked },
  { vault: changed },
  { vault: locked, session: { step: 'signed-out', notice: { kind: 'vault-locked' } } },
  { vault: changed, sessions: heldSessions, session: { step: 'signed-out' } },
];

/** What main tells after the first frame. Nothing moves at what comes by itself; a person switches servers. */
export const lateScenes: readonly Scene[] = [
  {
    name: 'login-known-late',
    state: { vault: { state: 'asking' }, builtIn: { state: 'starting' } },
    still: true,
    steps: laterStates.map((changes) => ({ changes })),
  },
  {
    name: 'login-warning-late',
    state: { servers: [staging], activeServerId: staging.id },
    still: true,
    steps: [
      { changes: { builtIn: { state: 'failed', message: 'The port is taken.' } } },
      // It stands above another warning.
      { wait: 'footer :text("The port is taken.")' },
    ],
  },
  {
    name: 'login-servers-switched',
    state: { servers: manyServers },
    steps: ['staging', 'production', 'server-7', 'server-29', 'server-0', 'built-in'].map((activeServerId) => ({
      changes: { activeServerId },
    })),
  },
  {
    name: 'account-checked-late',
    state: {
      sessions: heldSessions,
      session: { step: 'restoring', sessionId: 's1', user: { ...anaProfile, rest: [] } },
    },
    still: true,
    steps: [
      { changes: { session: signedIn } },
      { holds: 'sessions.check' },
      { press: 'main section > button[aria-busy]' },
      {
        changes: {
          session: { ...signedIn, check: { state: 'unchecked', error: { kind: 'offline' } } },
        },
      },
      { releases: 'sessions.check' },
      { wait: '[role=alert]' },
    ],
  },
];

/** What is said of a session that is not there any more. */
const notices: SessionNotice[] = [
  { kind: 'session-ended', at: '2026-11-22T10:41:00.000Z' },
  { kind: 'logged-out' },
  { kind: 'logged-out-here-only', error: { kind: 'offline' } },
  { kind: 'logged-out-no-way-to-tell', error: { kind: 'unexpected', reason: 'operation-missing', status: 404 } },
  { kind: 'logged-out-untold' },
  { kind: 'vault-unreadable' },
  { kind: 'vault-locked' },
  { kind: 'sessions-dropped' },
  { kind: 'renewal-lost' },
  { kind: 'registered-not-logged-in', email: 'ana@example.test', error: { kind: 'throttled', retryAfterSeconds: 7 } },
];

/** What an owner of an account may meet beside the ways that have scenes of their own. */
export const ownerScenes: readonly Scene[] = [
  {
    name: 'login-fault-simple',
    ...simple,
    state: several,
    steps: [
      { type: 'input[name=email]', text: 'a@b.test' },
      { type: 'input[name=password]', text: 'a b c' },
      { fails: 'session.login', error: { kind: 'server-fault', status: 503 } },
      { press: 'main button[type=submit]' },
      { wait: '[role=alert]' },
    ],
    thenIn: notices.map((notice) => ({ session: { step: 'signed-out', notice } })),
  },
  {
    name: 'register-refused-simple',
    ...simple,
    steps: [
      { press: 'main a[href]' },
      ...['name', 'email', 'password'].map((name) => ({ type: `input[name=${name}]`, text: 'a b c' })),
      { fails: 'session.register', error: { kind: 'unexpected', reason: 'operation-missing', status: 404 } },
      { press: 'main button[type=submit]' },
      { wait: '[role=alert]' },
      // A worker gives the advice on the password.
      { wait: 'main form i[data-on=true]' },
    ],
  },
  {
    name: 'account-question-simple',
    isScreen: true,
    ...simple,
    state: {
      ...several,
      activeServerId: production.id,
      sessions: heldSessions
        .slice(0, 1)
        .map((held) => Object.assign({}, held, { serverId: production.id, baseUrl: production.baseUrl })),
      session: signedIn,
    },
    steps: [
      {
        fails: 'sessions.logout',
        error: { kind: 'production-not-confirmed', serverId: production.id, host: 'shop.example.test' },
      },
      { press: 'main div:has(> h1) ~ button' },
      { wait: '[role=dialog]' },
    ],
  },
];

/** The ways in which sessions are protected or not. */
export const vaults: Partial<AppState>[] = [
  { vault: { state: 'locked' } },
  { vault: { state: 'protected', backend: 'gnome_libsecret', unreadable: 2, before: ['kwallet5'] } },
  ...(['no-keyring', 'keyring-failed', 'file-unreadable'] as const).map((reason) => ({
    vault: { state: 'memory-only' as const, reason },
  })),
];
