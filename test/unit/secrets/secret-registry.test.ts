import { expect, it } from 'vitest';
import { SecretRegistry } from '../../../main/client/secrets/secret-registry.ts';

const tokenOf = (n: number): string => `${n}|${n.toString(36).padStart(40, 'q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je4RuTv')}`;

it('tokens of sessions that are over make room for others, and those of open ones never do', () => {
  const secretRegistry = new SecretRegistry();
  // The limits are 20 000 secrets that are known, and 128 000 characters that are looked for.
  for (let n = 0; n <= 20_001; n++) {
    secretRegistry.register(tokenOf(n), 'token');
    secretRegistry.bindToSession(tokenOf(n), `session ${n}`);
    if (n > 0) secretRegistry.unbindSession(`session ${n}`);
  }
  const isKnown = (n: number): boolean[] => [
    secretRegistry.valueOf(`session ${n}`) === tokenOf(n),
    secretRegistry.isRegistered(tokenOf(n)),
    secretRegistry.find(`<${tokenOf(n)}>`).length > 0,
  ];
  expect([0, 1, 20_001].map(isKnown)).toEqual([
    [true, true, true],
    [false, false, false],
    [true, true, true],
  ]);
});
