import { describe, expect, it } from 'vitest';
import { initialsOf } from '../../../renderer/components/initials.ts';

describe('initials', () => {
  it.each([
    ['Ana Vega', 'AV'],
    ['ana', 'A'],
    ['Ana María de la Vega', 'AV'],
    ['ana.vega@example.test', 'AV'],
    ['', ''],
    ['   ', ''],
    ['!!! ???', ''],
    ['李小龙', '李'],
    ['محمد علي', 'مع'],
    ['e\u0301lodie', 'E\u0301'],
    ['👩‍👩‍👧 Zoë', 'Z'],
    ['x'.repeat(2000), 'X'],
  ])('of %j are %j', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});
