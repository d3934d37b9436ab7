import type { AppState } from '../../../../preload/contract/models.ts';
import { heldSessions, production, signedIn, staging } from '../states.ts';
import { simple, type Scene, type Step } from '../scene.ts';

const account = {
  secondFactor: 'asked',
  changePassword: { current: true },
  deleteAccount: { password: true },
  forgotPassword: true,
  resendConfirmation: true,
} as const;

const shop = { ...production, interface: { ...production.interface, account } };

const signedOut: Partial<AppState> = {
  servers: [shop, staging],
  activeServerId: shop.id,
  sessions: [],
  session: { step: 'signed-out', email: 'lucia.ferrer@example.test' },
};

const asked: Partial<AppState> = {
  ...signedOut,
  pendingLogin: {
    serverId: shop.id,
    account: 'lucia.ferrer@example.test',
    methods: [
      { method: 'totp', isSent: false },
      { method: 'email', isSent: true },
      { method: 'recovery', isSent: false },
    ],
    // 41 seconds after the moment at which the clock of the pictures stands still.
    expiresAt: '2026-11-22T09:30:56.000Z',
    isRenewal: false,
  },
};

const typeCode: Step = { type: 'input[name=code]', text: '482 913' };
const submit: Step = { press: 'main button[type=submit]' };
const openOwnAccount: Step[] = [
  { press: 'main section h2 button[aria-expanded=false]' },
  { wait: 'input[name=newPassword]' },
];
const atWork: Partial<AppState> = {
  servers: [shop, staging],
  activeServerId: shop.id,
  sessions: heldSessions.map((each) => Object.assign({}, each, { serverId: shop.id })),
  session: signedIn,
};

/** The code of a second factor, and what an account offers for itself. */
export const secondFactorScenes: readonly Scene[] = [
  { name: 'code', isScreen: true, state: asked, ...simple },
  {
    name: 'code-wrong',
    isScreen: true,
    state: asked,
    ...simple,
    steps: [
      typeCode,
      { fails: 'session.sendCode', error: { kind: 'wrong-code', message: 'Invalid code' } },
      submit,
      { wait: 'input[name=code][aria-invalid=true]' },
    ],
  },
  {
    name: 'code-throttled',
    state: asked,
    ...simple,
    steps: [
      typeCode,
      { fails: 'session.sendCode', error: { kind: 'throttled', message: 'Too many codes.', retryAfterSeconds: 40 } },
      submit,
      { wait: '[role=alert]' },
    ],
  },
  {
    name: 'code-email',
    isScreen: true,
    state: asked,
    ...simple,
    steps: [{ press: 'main form [type=button]' }, { wait: 'main form [type=button][aria-disabled=true]' }],
  },
  {
    name: 'code-recovery',
    state: asked,
    ...simple,
    steps: [{ press: 'main form [type=button]', at: 1 }, { wait: 'input[name=code][autocomplete=off]' }],
  },
  {
    name: 'code-refused',
    state: {
      ...signedOut,
      session: {
        step: 'signed-out',
        email: 'lucia.ferrer@example.test',
        notice: {
          kind: 'code-refused',
          error: {
            kind: 'unexpected',
            reason: 'other',
            status: 400,
            message: 'Too many attempts. Request a new code.',
          },
        },
      },
    },
    ...simple,
  },
  {
    name: 'login-forgot',
    isScreen: true,
    state: signedOut,
    ...simple,
    steps: [{ press: 'main form [type=button][data-size]' }, { wait: 'main [data-message]' }],
  },
  {
    name: 'login-with-code',
    state: {
      ...signedOut,
      servers: [{ ...shop, interface: { ...shop.interface, account: { secondFactor: 'offered' } } }],
    },
    ...simple,
    steps: [{ press: 'main form summary' }, { wait: 'input[name=code]' }],
  },
  { name: 'account-own', isScreen: true, state: atWork, ...simple, steps: openOwnAccount },
  {
    name: 'account-own-refused',
    state: atWork,
    ...simple,
    steps: [
      ...openOwnAccount,
      { type: 'input[name=currentPassword]', text: 'correct horse battery' },
      { type: 'input[name=newPassword]', text: 'short' },
      { type: 'input[name=typed]', text: 'lucia.ferrer@exam' },
      {
        fails: 'sessions.changePassword',
        error: { kind: 'validation', message: 'Password too short', fields: {}, form: [] },
      },
      { press: 'main section form button[type=submit]' },
      { wait: '[role=alert]' },
    ],
  },
];
