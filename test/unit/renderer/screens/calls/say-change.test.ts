import { describe, expect, it } from 'vitest';
import { sayChange, sayReplay } from '../../../../../renderer/screens/calls/say-change.ts';
import { inLanguage } from '../../../../support/in-language.ts';

describe('a replay is named', () => {
  it.each([
    ['en', 'Resent', /: Edited$/],
    ['es', 'Reenviada', /: Editada$/],
  ] as const)('after its change, and without one only as sent again: %s', (language, again, edited) => {
    inLanguage(language, () => {
      expect([sayChange(undefined, []), sayReplay(undefined, [])]).toEqual([again, again]);
      expect(sayReplay({ change: 'edited' }, [])).toMatch(edited);
    });
  });
});
