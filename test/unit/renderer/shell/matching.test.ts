import { describe, expect, it } from 'vitest';
import { matching } from '../../../../renderer/shell/matching.ts';

const entry = (label: string, hint?: string) => ({ label, hint });
const found = (text: string, entries: ReturnType<typeof entry>[]) => matching(entries, text).map(({ label }) => label);

describe('the search of the palette', () => {
  const entries = [entry('Configuración'), entry('Añadir una cuenta'), entry('Shop', 'https://shop.example.test')];

  it('finds everything while nothing is typed', () => {
    expect(found('  ', entries)).toHaveLength(3);
  });

  it.each([
    ['configuracion', 'Configuración'],
    ['CUENTA anadir', 'Añadir una cuenta'],
    ['example shop', 'Shop'],
  ])('finds by %s: every word counts, in any order, without case and accents', (text, label) => {
    expect(found(text, entries)).toEqual([label]);
  });

  it('takes no part of a search for a pattern', () => {
    expect(found('.*', entries)).toEqual([]);
  });
});
