import type { RedactedText, SecretReference } from '../../../preload/contract/calls.ts';

/** Numbers secrets for exported files, `[token 1]`, equal ones alike, and counts each kind. */
export function createSecretNames() {
  const numbers = new Map<string, number>();
  const counts = new Map<SecretReference['secret'], number>();

  function nameOf({ secret, id }: SecretReference): string {
    const known = numbers.get(id);
    const number = known ?? (counts.get(secret) ?? 0) + 1;
    if (known === undefined) {
      numbers.set(id, number);
      counts.set(secret, number);
    }
    return `[${secret} ${number}]`;
  }

  return {
    text: (redacted: RedactedText): string =>
      redacted.map((part) => (typeof part === 'string' ? part : nameOf(part))).join(''),
    counts: (): readonly (readonly [secret: string, count: number])[] => [...counts],
  };
}
