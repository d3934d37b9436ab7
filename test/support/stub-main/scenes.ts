import type { AppState } from '../../../preload/contract/models.ts';
import { someCalls } from './calls.ts';
import {
  comparison,
  report as contractReport,
  underWay,
  withChanges,
  withOnlyFindings,
  withReport,
} from './contract-runs.ts';
import { history, withKept } from './kept-runs.ts';
import {
  announced,
  demoSession,
  endingSessions,
  firstStart,
  longHosts,
  misbehaving,
  production,
  signedIn,
  staging,
} from './states.ts';
import { profileScenes } from './profile-scenes.ts';
import { atWork, go, several, simple, type Scene, type Step } from './scene.ts';
import { serverScenes } from './server-scenes.ts';

const recorded = { state: atWork, calls: someCalls };
const ofStaging = { state: { ...atWork, activeServerId: staging.id }, calls: someCalls };
const ending = { ...atWork, sessions: endingSessions };
const signedOutWith = (notice: NonNullable<Extract<AppState['session'], { step: 'signed-out' }>['notice']>) =>
  ({ session: { step: 'signed-out', notice } }) as const;

const logIn: Step[] = [
  { type: 'input[name=email]', text: 'ana@example.test' },
  { type: 'input[name=password]', text: 'correct horse battery' },
];
const submit: Step = { press: 'main button[type=submit]' };
const openRegister: Step = { press: 'main a[href]' };
const openSessions: Step[] = [
  { press: 'header [aria-haspopup=menu]' },
  { press: '[role=menuitem]:has([class*=count])' },
];
const leave: Step = { press: 'main header button:last-child' };
const tab = (at: number): Step[] => [
  ...go('built-in'),
  { press: '[role=tab]', at },
  { wait: '[role=tabpanel] button' },
];
const accounts: Scene[] = [
  { name: 'welcome', settings: { workbench: false, welcomed: false } },
  { name: 'login', ...simple },
  { name: 'login-empty', ...simple, steps: [submit, { wait: '[aria-invalid=true]' }] },
  {
    name: 'login-refused',
    steps: [
      ...logIn,
      { fails: 'session.login', error: { kind: 'unauthenticated', message: 'Estas credenciales no son correctas.' } },
      submit,
      { wait: '[role=alert]' },
    ],
  },
  {
    name: 'login-throttled',
    ...simple,
    state: { vault: { state: 'memory-only', reason: 'no-keyring' } },
    steps: [
      ...logIn,
      {
        fails: 'session.login',
        error: { kind: 'throttled', message: 'Slow down. Try again in 40 seconds.', retryAfterSeconds: 40 },
      },
      submit,
      { wait: '[role=alert]' },
    ],
  },
  {
    name: 'login-certificate',
    steps: [
      ...logIn,
      { fails: 'session.login', error: { kind: 'tls', host: 'shop.example.test', code: 'X', problem: 'self-signed' } },
      submit,
      { wait: '[role=alert]' },
    ],
  },
  {
    name: 'login-confirm-first',
    state: {
      ...several,
      ...signedOutWith({
        kind: 'confirm-first',
        email: 'vera@example.test',
        says: 'We sent a link to vera@example.test. Please confirm your email address.',
      }),
    },
    ...simple,
  },
  {
    name: 'login-unconfirmed',
    ...simple,
    steps: [
      ...logIn,
      { fails: 'session.login', error: { kind: 'account-held', state: 'unconfirmed', message: 'Email not confirmed' } },
      submit,
      { wait: '[data-message]' },
    ],
  },
  { name: 'login-ended', state: { ...several, ...signedOutWith({ kind: 'session-ended' }) }, ...simple },
  { name: 'login-other-accounts', state: several },
  {
    name: 'login-production',
    state: { ...several, activeServerId: production.id, ...signedOutWith({ kind: 'logged-out-untold' }) },
  },
  { name: 'login-plain', state: { ...several, activeServerId: staging.id }, ...simple },
  { name: 'login-not-running', state: { builtIn: { state: 'failed', message: 'listen EACCES' } } },
  { name: 'register', ...simple, steps: [openRegister, { wait: 'input[name=name]' }] },
  {
    name: 'register-empty',
    ...simple,
    steps: [openRegister, { wait: 'input[name=name]' }, submit, { wait: 'input[name=name][aria-invalid=true]:focus' }],
  },
  { name: 'account', state: atWork },
  { name: 'account-simple', state: atWork, ...simple },
  ...profileScenes,
  { name: 'account-demo', state: { session: signedIn, sessions: [demoSession] }, ...simple },
  {
    name: 'account-production',
    state: { ...atWork, activeServerId: production.id },
  },
];

const shell: Scene[] = [
  {
    name: 'menu-servers',
    state: atWork,
    steps: [{ press: 'header [aria-haspopup=listbox]' }, { wait: '[role=listbox]' }],
  },
  { name: 'menu-account', state: atWork, steps: [{ press: 'header [aria-haspopup=menu]' }, { wait: '[role=menu]' }] },
  { name: 'palette', state: atWork, steps: [{ key: 'ControlOrMeta+k' }, { wait: '[role=dialog] input' }] },
  { name: 'keys', state: atWork, steps: [{ key: 'ControlOrMeta+/' }, { wait: '[role=dialog] kbd' }] },
  {
    name: 'warnings',
    state: {
      ...atWork,
      activeServerId: staging.id,
      behaviour: misbehaving,
      vault: { state: 'locked' },
      files: [
        { file: 'config.json', problem: 'restored', kept: 'config.json.broken-2026-11-21T10-00-00-000Z' },
        { file: 'vault.json', problem: 'unreadable' },
      ],
    },
  },
  {
    name: 'sessions',
    state: atWork,
    steps: openSessions,
  },
  { name: 'sessions-ending', state: ending, steps: openSessions },
  { name: 'sessions-ending-simple', state: ending, ...simple, steps: openSessions },
  {
    name: 'sessions-leave',
    state: ending,
    steps: [...openSessions, leave, { wait: '[role=dialog] [data-autofocus]' }],
  },
  {
    name: 'sessions-left',
    state: { ...ending, session: { step: 'signed-out' }, sessions: endingSessions.slice(3) },
    steps: [...openSessions, leave, { press: '[role=dialog] button', at: 1 }, { wait: 'main output:not(:empty)' }],
  },
  {
    name: 'sessions-again',
    state: ending,
    steps: [
      ...openSessions,
      { press: 'main [aria-haspopup=menu]' },
      { press: '[role=menuitem]' },
      { wait: '[role=dialog] input[type=password]' },
      { type: '[role=dialog] input[type=password]', text: 'correct horse' },
      {
        fails: 'sessions.logInAgain',
        error: { kind: 'unauthenticated', message: 'These credentials do not match our records.' },
      },
      { press: '[role=dialog] button[type=submit]' },
      { wait: '[role=dialog] [role=alert]' },
    ],
  },
];

const calls: Scene[] = [
  { name: 'calls', ...recorded, steps: go('calls') },
  { name: 'calls-none', state: atWork, steps: go('calls') },
  {
    name: 'calls-added-header',
    ...recorded,
    steps: [
      ...go('calls'),
      { press: 'main [role=option]', at: 1 },
      { wait: 'article [role=tab]' },
      { press: 'article [role=tab]', at: 2 },
    ],
  },
  {
    name: 'calls-one',
    ...recorded,
    steps: [...go('calls'), { press: 'main [role=option]' }, { wait: 'article [role=status], article h3' }],
  },
];

const contract: Scene[] = [
  { name: 'contract-new', ...ofStaging, steps: go('contract') },
  { name: 'contract-running', ...ofStaging, runs: { reports: [], underWay }, steps: go('contract') },
  { name: 'contract-report', ...ofStaging, runs: withReport, steps: go('contract') },
  {
    name: 'contract-long-hosts',
    state: { ...atWork, servers: [...firstStart.servers, longHosts], activeServerId: longHosts.id },
    runs: {
      reports: [{ serverId: longHosts.id, report: { ...contractReport, baseUrl: longHosts.baseUrl }, runKept: true }],
    },
    steps: go('contract'),
  },
  { name: 'contract-changed', ...ofStaging, runs: withChanges, steps: go('contract') },
  {
    name: 'contract-compare',
    ...ofStaging,
    runs: withReport,
    steps: [
      ...go('contract'),
      { answers: 'contractRun.compareFile', value: { comparison } },
      { press: 'main header [aria-haspopup=menu]:visible' },
      { press: '[role=menuitem]' },
      { wait: 'table' },
    ],
  },
  { name: 'contract-only-findings', ...ofStaging, runs: withOnlyFindings, steps: go('contract') },
  { name: 'contract-kept', ...ofStaging, runs: withKept, steps: go('contract') },
  {
    name: 'contract-accept',
    ...ofStaging,
    runs: { reports: [{ serverId: 'staging', report: contractReport, runKept: true }] },
    steps: [
      ...go('contract'),
      { press: 'main section [data-line="wrong-password-accepted"]' },
      { press: 'main aside button[aria-label]:visible', at: 3 },
      { wait: '[role=dialog] textarea' },
    ],
  },
  {
    name: 'contract-history',
    ...ofStaging,
    runs: withKept,
    steps: [
      ...go('contract'),
      { answers: 'contractRun.history', value: history },
      { press: 'main header button:visible', at: 2 },
      { wait: '#run-answers-over-time' },
    ],
  },
];

const builtInServer: Scene[] = [
  { name: 'built-in-behaviour', state: { ...atWork, behaviour: misbehaving }, steps: tab(0) },
  { name: 'built-in-people', state: atWork, steps: tab(1) },
  { name: 'built-in-sessions', state: atWork, steps: tab(2) },
  { name: 'built-in-clock-ahead', state: { ...atWork, clockAheadMs: 31 * 86_400_000 + 3_600_000 }, steps: tab(2) },
  { name: 'built-in-requests', state: atWork, steps: tab(3) },
  { name: 'built-in-data', state: atWork, steps: tab(4) },
];

const settings: Scene[] = [
  { name: 'settings', state: atWork, steps: go('settings') },
  { name: 'settings-simple', state: atWork, ...simple, steps: [{ key: 'ControlOrMeta+,' }] },
  {
    name: 'settings-updates',
    state: { ...atWork, updates: { state: 'available', update: announced } },
    steps: [...go('settings'), { press: 'main nav button', at: 7 }, { wait: '[data-section=updates] section' }],
  },
  {
    name: 'settings-updates-simple',
    ...simple,
    state: { ...atWork, updates: { state: 'failed', at: '2026-11-22T10:00:00.000Z', problem: 'damaged' } },
    steps: [{ key: 'ControlOrMeta+,' }, { press: 'main nav button', at: 7 }],
  },
  {
    name: 'update-chip',
    ...simple,
    state: { ...atWork, updates: { state: 'available', update: { ...announced, by: 'system' } } },
    steps: [{ press: 'footer [data-tone=news]' }, { wait: '[role=dialog]' }],
  },
  { name: 'locked', state: atWork, lock: {} },
];

/** Every screen in the states that a person may come to see. Pictures are taken of them, and their texts are measured. */
export const scenes: readonly Scene[] = [
  ...accounts,
  ...shell,
  ...calls,
  ...contract,
  ...builtInServer,
  ...serverScenes,
  ...settings,
];
