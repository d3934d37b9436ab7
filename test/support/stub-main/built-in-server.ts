import { loginExamples } from '../../../main/service/fault-injection/login-examples.ts';
import type { AppState } from '../../../preload/contract/models.ts';
import {
  type BehaviourChange,
  type BehaviourChoices,
  type ClientProblem,
  type ClockPreset,
  type PageRange,
} from '../../../preload/contract/local-servers.ts';
import { accountDefectNames, dialectNames } from '../../../preload/contract/names.ts';

const all = ['registro', 'register', 'login', 'profile', 'logout'] as const;
const operations = [...all];
const parameter = (least: number, most: number, byDefault: number, isRange = false) => ({
  parameter: { least, most, byDefault, isRange },
});

const choices: BehaviourChoices = {
  operations,
  dialects: [...dialectNames],
  defects: [
    'token-outlives-logout',
    'password-echoed',
    'unknown-email-by-body',
    'unknown-email-by-time',
    'stack-traces',
    'tokens-guessable',
    'cpassword-ignored',
    'password-hash-in-profile',
  ],
  accountDefects: [...accountDefectNames],
  faults: [
    { kind: 'latency', operations, ...parameter(0, 60_000, 1000, true) },
    { kind: '500', operations },
    { kind: '429', operations, ...parameter(1, 3600, 30) },
    { kind: 'expired', operations: ['profile', 'logout'] },
    { kind: 'reset', operations },
    { kind: 'truncated', operations },
    { kind: 'html', operations, ...parameter(200, 599, 502) },
    { kind: 'drip', operations, ...parameter(1, 10_000, 100) },
  ],
  seedSets: ['empty', 'three', 'many', 'awkward'],
  mostCount: 1_000_000,
  logins: loginExamples,
};

const atMs = Date.parse('2026-11-20T08:01:02.000Z');
const awkward = ['<script>alert(1)</script>', '\u202Eright to left by force', 'W'.repeat(255), 'محمد العربي'];
const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: awkward[index] ?? `Person ${index + 1}`,
    email: index === 2 ? `${'l'.repeat(64)}@example.test` : `person.${index + 1}@example.test`,
    createdAtMs: atMs + index * 1000,
    tokens: index % 3,
    seeded: index !== 1,
  }));

type Answer = { ok: true; value: unknown };

/** The requests it has answered at the start, the newest first. */
const logged: readonly object[] = [
  { id: 'r3', atMs, method: 'GET', route: null, status: 404, durationMs: 1, faults: [] },
  {
    id: 'r2',
    atMs,
    method: 'GET',
    route: '/api/v1/auth/perfil',
    status: null,
    durationMs: 812,
    faults: ['latency', 'reset'],
  },
  { id: 'r1', atMs, method: 'POST', route: '/api/v1/auth/login', status: 200, durationMs: 31, faults: [] },
];

const login = { atMs, method: 'POST', route: '/api/v1/auth/login' };
const logout = { id: 'r5', atMs, method: 'POST', route: '/api/v1/auth/salir', status: 200 };
const profile = { id: 'r6', atMs, method: 'GET', route: '/api/v1/auth/perfil', status: 401 };

/** What the clients of those did wrong. */
const clientLines: readonly ClientProblem[] = [
  {
    fault: 'retry-after-ignored',
    count: 12,
    shownBy: [
      [
        { id: 'r3', ...login, status: 429 },
        { id: 'r4', ...login, status: null },
      ],
    ],
  },
  { fault: 'token-used-after-logout', count: 1, shownBy: [[logout, profile]] },
  { fault: 'password-in-url', count: 2, shownBy: [[{ id: 'r7', atMs, method: 'GET', route: null, status: 405 }]] },
];

const advances = { minute: 60_000, hour: 3_600_000, 'newest-token-end': 30 * 86_400_000 };

const firstSessions = [41, 42, 43].map((tokenId) => ({
  tokenId,
  accountId: tokenId,
  email: `person.${tokenId}@example.test`,
  createdAtMs: atMs,
  expiresAtMs: tokenId === 43 ? atMs + 1000 : Date.parse('2999-01-01T00:00:00Z'),
  lastUsedAtMs: tokenId === 41 ? null : atMs,
}));

/** Makes a built-in server that is only a few lists, for the screens that show it. */
export function createStubBuiltInServer(state: () => AppState, change: (part: Partial<AppState>) => void) {
  let accounts = people(500);
  let before: typeof accounts | undefined;
  let sessions = firstSessions;
  let requests: readonly object[] = logged;
  let lines: readonly ClientProblem[] = clientLines;
  const answer = (value: unknown): Answer => ({ ok: true, value });
  const page = (rows: readonly unknown[], { offset, limit }: PageRange) =>
    answer({ total: rows.length, rows: rows.slice(offset, offset + limit) });
  const data = () => answer({ accounts: accounts.length, canUndo: before !== undefined });
  const replace = (next: typeof accounts) => {
    before = accounts;
    accounts = next;
    return data();
  };

  const calls = {
    choices: () => answer(choices),
    setBehaviour(asked: BehaviourChange) {
      const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
      const behaviour = { ...state().behaviour, ...given };
      const { dialect, defects, faults } = behaviour;
      const isOn = dialect !== null || defects.length > 0 || faults.length > 0;
      const left = faults.map(({ amount }) => ('count' in amount ? amount.count : null));
      change({ behaviour: { ...behaviour, isOn, left } });
      return answer(null);
    },
    accounts: (asked: PageRange) => page(accounts, asked),
    sessions: (asked: PageRange) => page(sessions, asked),
    expire({ id }: { id: number }) {
      sessions = sessions.map((each) => (each.tokenId === id ? { ...each, expiresAtMs: atMs } : each));
      return answer({ done: true });
    },
    revoke({ id }: { id: number }) {
      sessions = sessions.filter(({ tokenId }) => tokenId !== id);
      return answer({ done: true });
    },
    revokeAllTokens() {
      const ended = sessions.length;
      sessions = [];
      return answer({ ended });
    },
    requests: () => answer(requests),
    clearRequests() {
      requests = [];
      lines = [];
      return answer(requests);
    },
    clientReport: () => answer(lines),
    moveClock({ to }: { to: ClockPreset }) {
      change({ clockAheadMs: to === 'now' ? 0 : state().clockAheadMs + advances[to] });
      return answer(null);
    },
    counts: () => answer({ accounts: accounts.length, sessions: sessions.length, requests: requests.length }),
    data,
    reset: ({ set }: { set: string }) => replace(set === 'empty' ? [] : people(set === 'many' ? 500 : 3)),
    undo() {
      accounts = before ?? accounts;
      before = undefined;
      return data();
    },
  };
  return calls;
}
