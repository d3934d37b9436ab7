import { describe, expect, it } from 'vitest';
import { startI18n } from '../../../../../renderer/i18n.ts';
import { sayChange, sayReplay } from '../../../../../renderer/screens/calls/say-change.ts';

describe('a replay is named', () => {
  it.each([
    ['en', 'Resent', /: Edited$/],
    ['es', 'Reenviada', /: Editada$/],
  ])('after its change, and without one only as sent again: %s', async (language, again, edited) => {
    const { t } = await startI18n(language);
    expect([sayChange(undefined, [], t), sayReplay(undefined, [], t)]).toEqual([again, again]);
    expect(sayReplay({ change: 'edited' }, [], t)).toMatch(edited);
  });
});
