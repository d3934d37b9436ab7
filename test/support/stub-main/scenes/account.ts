import { sanctumCommand } from './servers.ts';
import type { AppState } from '../../../../preload/contract/models.ts';
import { demoSession, production, connectionReport, signedIn, staging } from '../states.ts';
import { lateScenes, ownerScenes } from './late.ts';
import { profileScenes } from './profile.ts';
import { atWork, several, simple, type Scene, type Step } from '../scene.ts';

const signedOutWith = (notice: NonNullable<Extract<AppState['session'], { step: 'signed-out' }>['notice']>) =>
  ({ session: { step: 'signed-out', notice } }) as const;

const logIn: Step[] = [
  { type: 'input[name=email]', text: 'ana@example.test' },
  { type: 'input[name=password]', text: 'correct horse battery' },
];
const submit: Step = { press: 'main button[type=submit]' };
const openRegister: Step = { press: 'main a[href]' };
const firstMinute = { settings: { workbench: false, welcomed: false }, technical: 'main section:nth-of-type(3)' };
const typeAddress: Step = { type: 'main section:first-of-type input[inputmode=url]', text: 'shop.exmaple.test' };
const submitAddress: Step = { press: 'main section:first-of-type button[type=submit]' };
/** The forms and the account. */
export const accountScenes: readonly Scene[] = [
  // The third door is for those who build servers.
  { name: 'welcome', ...firstMinute },
  {
    name: 'welcome-command',
    isScreen: true,
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
      { answers: 'servers.test', value: { ...connectionReport, answered: 'web-page' } },
      typeAddress,
      submitAddress,
      { wait: '[role=alert]' },
    ],
  },
  {
    name: 'welcome-other-paths',
    ...firstMinute,
    steps: [
      { answers: 'servers.test', value: { ...connectionReport, answered: 'path-missing' } },
      { type: 'main section:nth-of-type(3) input[inputmode=url]', text: 'shop.example.test' },
      { press: 'main section:nth-of-type(3) button[type=submit]' },
      { wait: '[role=alert]' },
    ],
  },
  {
    name: 'welcome-unreached',
    isScreen: true,
    ...firstMinute,
    steps: [
      { answers: 'servers.test', value: { reached: false, error: { kind: 'dns', host: 'shop.exmaple.test' } } },
      typeAddress,
      submitAddress,
      { wait: '[role=alert]' },
    ],
  },
  { name: 'login', isScreen: true, ...simple },
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
    isScreen: true,
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
        serverMessage: 'We sent a link to vera@example.test. Please confirm your email address.',
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
    isScreen: true,
    ...simple,
    steps: [openRegister, { wait: 'input[name=name]' }, submit, { wait: 'input[name=name][aria-invalid=true]:focus' }],
  },
  { name: 'account', isScreen: true, state: atWork, asks: [] },
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
