import { describe, expect, it } from 'vitest';
import { valuePreview } from '../../../../renderer/screens/account/profile/value-preview.ts';
import { sentRows } from '../../../support/sent-rows.ts';
import { inLanguage } from '../../../support/in-language.ts';

const said = (language: 'en' | 'es', name: string, sent: unknown) =>
  inLanguage(language, () => sentRows({ [name]: sent }).map(({ value }) => valuePreview(value))[0]);

describe('the preview of a folded value', () => {
  it.each([
    ['plan', { id: 3, name: 'Pro', seats: 5, until: '2026-12-31', renews: true }, 'Pro · 5 seats · until Dec 2026'],
    ['addresses', [{ city: 'Santiago', zip: 1 }, { city: 'Madrid' }], '2: Santiago, Madrid'],
    [
      'roles',
      [
        { id: 1, name: 'Owner' },
        { id: 2, title: 'Billing' },
      ],
      '2: Owner, Billing',
    ],
    [
      'preferences',
      { newsletter: false, theme: 'dark', channels: ['email', 'push'] },
      'Newsletter: no · dark · email, push',
    ],
    [
      'logins',
      Array.from({ length: 9 }, (_each, at) => `10.0.0.${at}`),
      '9: 10.0.0.0, 10.0.0.1, 10.0.0.2, 10.0.0.3, …',
    ],
    ['addresses', [{ city: 'Madrid' }], 'Madrid'],
    ['visits', [{ city: 'Madrid' }, { city: 'Madrid' }], '2: Madrid'],
    ['team', { members: [{ name: 'Eve' }], owner: { name: 'Ana' } }, 'Members · owner'],
    ['meta', { terms: { version: '2026-01', accepted: '2026-01-15' } }, '2026-01 · accepted Jan 2026'],
    ['meta', { note: 'x'.repeat(300) }, '1 value'],
    ['matrix', [[1, 2], [3]], '2 values'],
    ['plan', { note: 'x'.repeat(41), id: 7, secret_key: 'abc', empty: '', balance: 100.5 }, '100.5 balance'],
    ['plan', { balance: '1e400' }, '1e400'],
  ])('says of %s %j: %s', (name, sent, preview) => {
    expect(said('en', name, sent)).toBe(preview);
  });

  it('is in the language of the window', () => {
    expect(said('es', 'preferencias', { newsletter: true, idioma: 'es', created_at: '2024-03-02T10:00:00Z' })).toBe(
      'Boletín: sí · es · creada 2 mar 2024',
    );
    expect(said('es', 'datos', [{ x: 1 }, { x: 2 }])).toBe('2 valores');
    expect(said('es', 'matriz', [[1], [2]])).toBe('2 valores');
  });
});
