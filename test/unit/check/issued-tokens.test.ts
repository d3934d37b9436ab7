import { expect, it } from 'vitest';
import { IssuedTokens } from '../../../main/check/issued-tokens.ts';

it('tokens of two spellings of an email are of two accounts where it counts what differs, and of one where they end', () => {
  const tokens = new IssuedTokens();
  tokens.add('a1', 'ana@example.test');
  tokens.add('b1', 'ANA@example.test');
  tokens.add('a2', 'ana@example.test');
  expect(tokens.byAccount()).toEqual([['a1', 'a2'], ['b1']]);
  tokens.keepOnlyNewest('a2');
  expect(tokens.live()).toEqual(['a2']);
});
