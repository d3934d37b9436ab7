import type { InterfaceCall, InterfaceDescription } from '../../preload/contract/interface.ts';
import { listCalls, type ApiCall } from './list-calls.ts';
import { isByUsername, isFieldName, placeholderNames } from './template.ts';

/** What an API has, for requests and for the forms. */
export type ApiFeatures = {
  registrations: readonly ('registro' | 'register')[];
  /** The form fields that a registration sends. */
  fields: ReadonlySet<string>;
  /** True if a login takes a user name and no email. */
  byUsername: boolean;
  logout: boolean;
  refresh: boolean;
  /** True if the session is a cookie. */
  cookie: boolean;
};

/** The calls of a description under the names that `interface.md` has for them. */
export function callsByName(description: InterfaceDescription): Map<ApiCall, InterfaceCall> {
  const registrations = listCalls(description).filter(({ name }) => name === 'register');
  const calls = listCalls(description).flatMap(({ name, call }): [ApiCall, InterfaceCall][] => {
    if (name !== 'register') return [[name, call]];
    const isFirstOfTwo = registrations.length === 2 && call === registrations[0]?.call;
    const repeatsPassword = placeholderNames(call.body).includes('cpassword');
    const isSecond = !isFirstOfTwo && (repeatsPassword || registrations.length === 2);
    return [[isSecond ? 'register' : 'registro', call]];
  });
  return new Map(calls);
}

export function featuresOf(calls: ReadonlyMap<ApiCall, InterfaceCall>): Omit<ApiFeatures, 'cookie'> {
  const registrations = (['registro', 'register'] as const).filter((name) => calls.has(name));
  const names = registrations.flatMap((name) => placeholderNames(calls.get(name)?.body));
  return {
    registrations,
    fields: new Set(names.filter((name) => isFieldName(name))),
    byUsername: isByUsername(calls.get('login')?.body),
    logout: calls.has('logout'),
    refresh: calls.has('refresh'),
  };
}
