import { describe, expect, it } from 'vitest';
import en from '../../../renderer/locales/en.json' with { type: 'json' };
import es from '../../../renderer/locales/es.json' with { type: 'json' };

type Texts = { [key: string]: string | Texts };

const flat = (texts: Texts, prefix = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as [string, string]] : flat(value, `${prefix}${key}.`),
  );

const placeholders = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).toSorted();

describe('the texts', () => {
  const spanish = new Map(flat(es));

  it('have the same keys in both languages', () => {
    expect([...spanish.keys()]).toEqual(flat(en).map(([key]) => key));
  });

  it('say everything in both languages with the same placeholders', () => {
    const wrong = flat(en).filter(([key, english]) => {
      const other = spanish.get(key) ?? '';
      const isSaid = english.trim() !== '' && other.trim() !== '';
      return !isSaid || placeholders(other).join() !== placeholders(english).join();
    });
    expect(wrong).toEqual([]);
  });
});
