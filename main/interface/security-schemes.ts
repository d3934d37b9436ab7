import type { InterfaceDescription, OperationSecurity, SecurityScheme } from '../../preload/contract/interface.ts';
import type { ApiCall } from './list-calls.ts';
import { isCookieNamed } from './cookies.ts';
import { placeholderNames } from './template.ts';

/** The ways in which a session's credential may go, the first that something is held for before the others. */
export const sessionSchemes = ({ security }: Pick<InterfaceDescription, 'security'>): readonly SecurityScheme[] =>
  [security].flat();

/** The schemes of `Authorization` by which a session's credential may go. */
export const schemesOf = (description: Pick<InterfaceDescription, 'security'>): string[] =>
  sessionSchemes(description).flatMap((way) => (way.type === 'http' ? [way.scheme] : []));

/** Those of one call, where it has its own. */
export function operationSecurity(
  { calls }: Pick<InterfaceDescription, 'calls'>,
  name: ApiCall,
): readonly OperationSecurity[] | undefined {
  const security = name === 'refresh' ? calls.refresh?.security : name === 'salir' ? calls.logout?.security : undefined;
  return security && [security].flat();
}

/** The names of the cookies of such ways, as patterns. */
export const cookieNamePatterns = (ways: readonly OperationSecurity[] = []): string[] =>
  ways.flatMap((way) => (way.type === 'apiKey' && way.in === 'cookie' ? [way.name] : []));

/** The output whose value goes in such a way; undefined for a cookie, and where nothing goes. */
export const credentialOutput = (way: OperationSecurity): string | undefined => {
  if (way.type === 'none' || (way.type === 'apiKey' && way.in === 'cookie')) return undefined;
  return placeholderNames('value' in way ? way.value : undefined)[0] ?? 'token';
};

/** The first cookie of a jar that one of the patterns names. */
export const findCookie = (
  jar: Readonly<Record<string, string>>,
  patterns: readonly string[],
): [name: string, value: string] | undefined =>
  patterns.flatMap((pattern) => Object.entries(jar).filter(([name]) => isCookieNamed(name, pattern))).at(0);
