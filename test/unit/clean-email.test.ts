import { describe, expect, it } from 'vitest';
import { cleanEmail } from '../../preload/contract/clean-email.ts';

describe('an email that was pasted', () => {
  it.each([
    [' ana@example.test\n', 'ana@example.test'],
    ['\u200Bana@example.test\uFEFF', 'ana@example.test'],
    ['ana\u00AD@example.test', 'ana@example.test'],
    ['\u00A0ana@example.test\u202C', 'ana@example.test'],
    ['mailto:ana@example.test', 'ana@example.test'],
    ['mailto:ana%2Bshop@example.test?subject=Hi', 'ana+shop@example.test'],
    ['Ana Vega <ana@example.test>', 'ana@example.test'],
    ['"Vega, Ana" <ana@example.test>;', 'ana@example.test'],
    ['<mailto:ana@example.test>', 'ana@example.test'],
  ])('is taken out of what it came with: %j', (typed, email) => {
    expect(cleanEmail(typed)).toBe(email);
  });

  it.each(['', 'ana', 'Ana.Vega+1@Example.test', 'a b@example.test', 'mailto:', 'mailto:%E0@x', 'ñandú@correo.test'])(
    'stays what it is where it came with nothing: %j',
    (typed) => {
      expect(cleanEmail(typed)).toBe(typed === 'mailto:%E0@x' ? '%E0@x' : typed);
    },
  );
});
