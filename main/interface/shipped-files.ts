import type { ShippedInterface } from '../../preload/contract/connection.ts';
import llavero from './shipped/llavero.json' with { type: 'json' };

type Shipped = {
  load: () => Promise<{ default: unknown }>;
  /** What it was last proved against, as its `about` says in words. */
  proved?: ShippedInterface['proved'];
  /** Many other APIs have such a login, so that nothing is concluded from it. */
  hasCommonLogin?: true;
};

/** The descriptions that come with the application, by their names; each is loaded when it is asked for. */
export const shippedFiles: Readonly<Record<string, Shipped>> = {
  llavero: { load: () => Promise.resolve({ default: llavero }) },
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
  'llavero-account-calls': {
    load: () => import('./shipped/llavero-account-calls.json', { with: { type: 'json' } }),
    hasCommonLogin: true,
    proved: { version: '0.1.0', on: '2026-11-30' },
  },
  directus: {
    load: () => import('./shipped/directus.json', { with: { type: 'json' } }),
    hasCommonLogin: true,
    proved: { version: '12.3.1', on: '2026-11-28' },
  },
  appwrite: {
    load: () => import('./shipped/appwrite.json', { with: { type: 'json' } }),
    hasCommonLogin: true,
  },
  'aspnet-identity': {
    load: () => import('./shipped/aspnet-identity.json', { with: { type: 'json' } }),
    hasCommonLogin: true,
  },
  firebase: {
    load: () => import('./shipped/firebase.json', { with: { type: 'json' } }),
    hasCommonLogin: true,
  },
  'laravel-fortify': {
    load: () => import('./shipped/laravel-fortify.json', { with: { type: 'json' } }),
    hasCommonLogin: true,
  },
  pocketbase: {
    load: () => import('./shipped/pocketbase.json', { with: { type: 'json' } }),
    hasCommonLogin: true,
  },
  'rocket-chat': {
    load: () => import('./shipped/rocket-chat.json', { with: { type: 'json' } }),
    hasCommonLogin: true,
  },
};

export const shippedNames: readonly string[] = Object.keys(shippedFiles);

/** Those that an unknown API may be, by its login. */
export const suggestedNames: readonly string[] = shippedNames.filter((name) => !shippedFiles[name]?.hasCommonLogin);
