import type { InterfaceDescription, OperationSecurity, SecurityScheme } from '../../preload/contract/interface.ts';
import type { ApiCall } from './list-calls.ts';
import { isCookieNamed } from './cookies.ts';
import { placeholderNames } from './template.ts';

/** The security schemes of a session: the first one with a credential is used. */
export const sessionSchemes = ({ security }: Pick<InterfaceDescription, 'security'>): readonly SecurityScheme[] =>
  [security].flat();

/** The `Authorization` schemes of a session. */
export const schemesOf = (description: Pick<InterfaceDescription, 'security'>): string[] =>
  sessionSchemes(description).flatMap((scheme) => (scheme.type === 'http' ? [scheme.scheme] : []));

/** The security schemes of a call that overrides those of the session. */
export function operationSecurity(
  { calls }: Pick<InterfaceDescription, 'calls'>,
  name: ApiCall,
): readonly OperationSecurity[] | undefined {
  const security =
    name === 'refresh' ? calls.refresh?.security : name === 'logout' ? calls.logout?.security : undefined;
  return security && [security].flat();
}

/** The names of the cookies of security schemes, as patterns. */
export const cookieNamePatterns = (schemes: readonly OperationSecurity[] = []): string[] =>
  schemes.flatMap((scheme) => (scheme.type === 'apiKey' && scheme.in === 'cookie' ? [scheme.name] : []));

/** The output that a security scheme sends; undefined for a cookie and for `none`. */
export const credentialOutput = (scheme: OperationSecurity): string | undefined => {
  if (scheme.type === 'none' || (scheme.type === 'apiKey' && scheme.in === 'cookie')) return undefined;
  return placeholderNames('value' in scheme ? scheme.value : undefined)[0] ?? 'token';
};

/** The first cookie of a jar that one of the patterns names. */
export const findCookie = (
  jar: Readonly<Record<string, string>>,
  patterns: readonly string[],
): [name: string, value: string] | undefined =>
  patterns.flatMap((pattern) => Object.entries(jar).filter(([name]) => isCookieNamed(name, pattern))).at(0);
