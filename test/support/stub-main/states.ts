import type { AppState, Session, User } from '../../../preload/contract/models.ts';

/** What main tells at a first start with the built-in service. */
export const firstStart: AppState = {
  revision: 1,
  version: '0.1.0',
  electron: { version: '42.0.0', thirdParty: true },
  settings: { language: 'en', theme: 'light' },
  language: 'en',
  servers: [{ id: 'built-in', builtIn: true, baseUrl: 'http://127.0.0.1:4848' }],
  activeServerId: 'built-in',
  service: { state: 'running', baseUrl: 'http://127.0.0.1:4848' },
  vault: { state: 'protected', backend: 'gnome-libsecret' },
  session: { step: 'signed-out' },
};

export const staging = { id: 'staging', builtIn: false, baseUrl: 'http://staging.example.test:8000/app' };

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
  user: ana,
  check: { state: 'checked', at: '2026-11-21T08:01:02.000Z' },
};
