import type { ShippedInterface } from '../../preload/contract/connection.ts';
import llavero from './shipped/llavero.json' with { type: 'json' };

type Shipped = {
  load: () => Promise<{ default: unknown }>;
  /** What it was last proved against, as its `about` says in words. */
  proved?: ShippedInterface['proved'];
  /** Another one has the same login, and is the one to suggest. */
  isVariant?: true;
};

/** The descriptions that come with the application, by their names; each is loaded when it is asked for. */
export const shippedFiles: Readonly<Record<string, Shipped>> = {
  llavero: { load: () => Promise.resolve({ default: llavero }) },
  'llavero-account-calls': {
    load: () => import('./shipped/llavero-account-calls.json', { with: { type: 'json' } }),
    isVariant: true,
  },
  'better-auth': {
    load: () => import('./shipped/better-auth.json', { with: { type: 'json' } }),
    proved: { version: '1.6.34', on: '2026-11-26' },
  },
  'better-auth-bearer': {
    load: () => import('./shipped/better-auth-bearer.json', { with: { type: 'json' } }),
    proved: { version: '1.6.34', on: '2026-11-26' },
  },
  'devise-token-auth': {
    load: () => import('./shipped/devise-token-auth.json', { with: { type: 'json' } }),
    proved: { version: '1.2.2', on: '2026-11-25' },
  },
  'dj-rest-auth': {
    load: () => import('./shipped/dj-rest-auth.json', { with: { type: 'json' } }),
    proved: { version: '3.0.0', on: '2026-11-25' },
  },
  djoser: {
    load: () => import('./shipped/djoser.json', { with: { type: 'json' } }),
    proved: { version: '2.1.0', on: '2026-11-26' },
  },
  'fastapi-users': {
    load: () => import('./shipped/fastapi-users.json', { with: { type: 'json' } }),
    proved: { version: '10.4.2', on: '2026-11-25' },
  },
  keycloak: {
    load: () => import('./shipped/keycloak.json', { with: { type: 'json' } }),
  },
  'laravel-breeze': {
    load: () => import('./shipped/laravel-breeze.json', { with: { type: 'json' } }),
    proved: { version: '1.10.0', on: '2026-11-25' },
  },
  'laravel-sanctum': {
    load: () => import('./shipped/laravel-sanctum.json', { with: { type: 'json' } }),
    proved: { version: '2.15.1', on: '2026-11-25' },
  },
  'oauth-password': {
    load: () => import('./shipped/oauth-password.json', { with: { type: 'json' } }),
    proved: { version: '1.7.0', on: '2026-11-26' },
  },
  strapi: {
    load: () => import('./shipped/strapi.json', { with: { type: 'json' } }),
    proved: { version: '5.54.0', on: '2026-11-27' },
  },
  'supabase-gotrue': {
    load: () => import('./shipped/supabase-gotrue.json', { with: { type: 'json' } }),
  },
};

export const shippedNames: readonly string[] = Object.keys(shippedFiles);

/** Those that an unknown API may be, by what is known of it. */
export const suggestedNames: readonly string[] = shippedNames.filter((name) => !shippedFiles[name]?.isVariant);
