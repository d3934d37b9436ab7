import { randomUUID } from 'node:crypto';
import type { SecretReference } from '../../preload/contract/exchanges.ts';

export type SecretReferences = ReturnType<typeof createSecretReferences>;

/**
 * The secrets of this run by the references that stand for them in recorded exchanges. In memory only: a password is
 * gone when the application ends, a token is found in the vault again by its session, whose id its reference has.
 */
export function createSecretReferences() {
  const byValue = new Map<string, SecretReference>();
  const byId = new Map<string, string>();
  const watched = new Set<string>();

  function put(value: string, reference: SecretReference): SecretReference {
    byValue.set(value, reference);
    byId.set(reference.id, value);
    return reference;
  }

  return {
    /** Equal values have one reference, of the kind that was found first. */
    of(value: string, secret: SecretReference['secret']): SecretReference {
      return byValue.get(value) ?? put(value, { secret, id: randomUUID() });
    },

    /** One that is to be looked for in everything recorded from now on, wherever nobody expects it. */
    watch(value: string, secret: SecretReference['secret']): SecretReference {
      watched.add(value);
      return byValue.get(value) ?? put(value, { secret, id: randomUUID() });
    },

    /** Says which session a token out of the vault belongs to. */
    name(token: string, sessionId: string): void {
      watched.add(token);
      if (byValue.get(token)?.id !== sessionId) put(token, { secret: 'token', id: sessionId });
    },

    /** No value is known any more; the references that stand in records stay. */
    forget(): void {
      byValue.clear();
      byId.clear();
      watched.clear();
    },

    /** Undefined when the value is not known in this run. */
    valueOf: (id: string): string | undefined => byId.get(id),

    /** All that are looked for. */
    watched: (): readonly (readonly [value: string, reference: SecretReference])[] =>
      [...byValue].filter(([value]) => watched.has(value)),
  };
}
