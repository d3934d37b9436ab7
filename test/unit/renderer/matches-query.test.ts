import { describe, expect, it } from 'vitest';
import { matchesQuery } from '../../../renderer/matches-query.ts';

describe('the search of the palette and of the settings', () => {
  const texts = [['Configuración'], ['Añadir una cuenta'], ['Shop', 'https://shop.example.test']];
  const found = (search: string) => texts.filter((each) => matchesQuery(each, search)).map(([first]) => first);

  it('finds everything while nothing is typed', () => {
    expect(found('  ')).toHaveLength(3);
  });

  it.each([
    ['configuracion', 'Configuración'],
    ['CUENTA anadir', 'Añadir una cuenta'],
    ['example shop', 'Shop'],
  ])('finds by %s: every word counts, in any order, without case and accents', (search, first) => {
    expect(found(search)).toEqual([first]);
  });

  it('takes no part of a search for a pattern', () => {
    expect(found('.*')).toEqual([]);
  });
});
