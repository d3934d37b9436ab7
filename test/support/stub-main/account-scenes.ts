import { sanctumCommand } from './server-scenes.ts';
import type { AppState } from '../../../preload/contract/models.ts';
import { demoSession, endingSessions, production, report, signedIn, staging } from './states.ts';
import { lateScenes, ownerScenes } from './late-scenes.ts';
import { profileScenes } from './profile-scenes.ts';
import { atWork, several, simple, type Scene, type Step } from './scene.ts';

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
const firstMinute = { settings: { workbench: false, welcomed: false }, technical: 'main section:nth-of-type(3)' };
const typeAddress: Step = { type: 'main section:first-of-type input[inputmode=url]', text: 'shop.exmaple.test' };
const submitAddress: Step = { press: 'main section:first-of-type button[type=submit]' };
/** The forms and the account. */
export const accountScenes: readonly Scene[] = [
  // The third door is for those who build servers.
  { name: 'welcome', ...firstMinute },
  {
    name: 'welcome-command',
    ...firstMinute,
    technical: 'main section, h1',
    steps: [
      { press: 'main section:nth-of-type(3) button:has(svg)' },
      { wait: 'main textarea' },
      { type: 'main textarea', text: sanctumCommand },
      { wait: 'main output svg' },
    ],
  },
  {
    name: 'welcome-asked',
    ...firstMinute,
    state: { asking: true },
    steps: [{ holds: 'servers.test' }, typeAddress, submitAddress, { wait: 'main output:not(:empty)' }],
  },
  {
    name: 'welcome-doubtful',
    ...firstMinute,
    steps: [
      { answers: 'servers.test', value: { ...report, answered: 'web-page' } },
      typeAddress,
      submitAddress,
      { wait: '[role=alert]' },
    ],
  },
  {
    name: 'welcome-other-paths',
    ...firstMinute,
    steps: [
      { answers: 'servers.test', value: { ...report, answered: 'path-missing' } },
      { type: 'main section:nth-of-type(3) input[inputmode=url]', text: 'shop.example.test' },
      { press: 'main section:nth-of-type(3) button[type=submit]' },
      { wait: '[role=alert]' },
    ],
  },
  {
    name: 'welcome-unreached',
    ...firstMinute,
    steps: [
      { answers: 'servers.test', value: { reached: false, error: { kind: 'dns', host: 'shop.exmaple.test' } } },
      typeAddress,
      submitAddress,
      { wait: '[role=alert]' },
    ],
  },
  { name: 'login', ...simple },
  { name: 'login-empty', ...simple, steps: [submit, { wait: '[aria-invalid=true]' }] },
  {
    name: 'login-fields-refused',
    steps: [
      submit,
      { wait: '[aria-invalid=true]' },
      ...logIn,
      { fails: 'session.login', error: { kind: 'validation', fields: { email: ['No such account.'] }, form: [] } },
      submit,
      { wait: 'input[name=email][aria-invalid=true]' },
    ],
  },
  {
    name: 'login-refused',
    steps: [
      ...logIn,
      { holds: 'session.login' },
      submit,
      { wait: 'main [aria-live=polite]:not(:empty) ~ button' },
      {
        releases: 'session.login',
        error: { kind: 'unauthenticated', message: 'Estas credenciales no son correctas.' },
      },
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
  {
    name: 'login-ended',
    state: { ...several, ...signedOutWith({ kind: 'session-ended', at: '2026-11-22T10:41:00.000Z' }) },
    ...simple,
  },
  { name: 'login-other-accounts', state: several },
  {
    name: 'login-production',
    state: { ...several, activeServerId: production.id, ...signedOutWith({ kind: 'logged-out-untold' }) },
  },
  { name: 'login-plain', state: { ...several, activeServerId: staging.id }, ...simple },
  {
    name: 'login-not-running',
    state: {
      builtIn: { state: 'failed', message: 'listen EACCES' },
      vault: { state: 'memory-only', reason: 'keyring-failed' },
    },
  },
  { name: 'register', ...simple, steps: [openRegister, { wait: 'input[name=name]' }] },
  {
    name: 'register-empty',
    ...simple,
    steps: [openRegister, { wait: 'input[name=name]' }, submit, { wait: 'input[name=name][aria-invalid=true]:focus' }],
  },
  { name: 'account', state: atWork, asks: [] },
  {
    name: 'account-simple',
    state: atWork,
    ...simple,
    thenOpens: 'header [aria-haspopup]',
    thenIn: [
      {
        sessions: [demoSession],
        session: { ...signedIn, check: { state: 'unchecked', error: { kind: 'offline' } } },
      },
    ],
  },
  ...profileScenes,
  {
    name: 'account-production',
    state: { ...atWork, activeServerId: production.id },
  },
  ...lateScenes,
  ...ownerScenes,
];

/** What is held of all accounts. */
export const sessionScenes: readonly Scene[] = [
  {
    name: 'sessions',
    state: atWork,
    asks: [],
    steps: openSessions,
  },
  { name: 'sessions-ending', state: ending, steps: openSessions },
  {
    name: 'sessions-checking',
    state: atWork,
    steps: [
      ...openSessions,
      { holds: 'sessions.check' },
      { press: 'main [aria-haspopup=menu]' },
      { wait: '[role=menuitem]' },
      { press: '[role=menuitem]' },
      { wait: 'main output button' },
    ],
  },
  {
    name: 'sessions-simple',
    state: atWork,
    ...simple,
    steps: openSessions,
    thenOpens: '[data-line] [aria-haspopup=menu]',
  },
  { name: 'sessions-ending-simple', state: ending, ...simple, steps: openSessions },
  {
    name: 'sessions-leave',
    state: ending,
    steps: [...openSessions, leave, { wait: '[role=dialog] [data-autofocus]' }],
  },
  {
    name: 'sessions-left',
    state: ending,
    steps: [
      ...openSessions,
      leave,
      { press: '[role=dialog] button', at: 1 },
      { changes: { session: { step: 'signed-out' }, sessions: endingSessions.slice(3) } },
      { wait: 'main output:not(:empty)' },
    ],
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
