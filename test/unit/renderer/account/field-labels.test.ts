import { describe, expect, it } from 'vitest';
import { startI18n } from '../../../../renderer/i18n.ts';
import { fieldLabel, isMomentField } from '../../../../renderer/screens/account/profile/field-labels.ts';
import { momentOf, sayMoment } from '../../../../renderer/screens/account/profile/say-moment.ts';

const english = await startI18n('en');
const spanish = await startI18n('es');

describe('the label of a field', () => {
  it.each([
    ['created_at', 'Created', 'Creada'],
    ['date', 'Date', 'Fecha'],
    ['createdAt', 'Created', 'Creada'],
    ['email_verified_at', 'Email confirmed', 'Correo confirmado'],
    ['iat', 'Issued', 'Emitida'],
    ['roles', 'Roles', 'Roles'],
    ['telefono', 'Phone', 'Teléfono'],
  ])('is in the language of the window for a usual key: %s', (key, en, es) => {
    expect(fieldLabel(key, english.t)).toBe(en);
    expect(fieldLabel(key, spanish.t)).toBe(es);
  });

  it.each([
    ['favourite_colour', 'Favourite colour'],
    ['shoeSize', 'Shoe size'],
    ['address.city', 'Address city'],
    ['añoNacimiento', 'Año nacimiento'],
    ['__proto__', 'Proto'],
    ['constructor', 'Constructor'],
    ['___', '___'],
    ['', ''],
    ['😀', '😀'],
  ])('is made of the words of any other key: %s', (key, label) => {
    expect(fieldLabel(key, english.t)).toBe(label);
  });

  it('is short, however long the key is', () => {
    expect(Array.from(fieldLabel('👩‍👩‍👧'.repeat(1000), english.t)).length).toBeLessThan(70);
  });
});

describe('a moment', () => {
  it.each([
    ['2026-11-21T08:01:02.000Z', true],
    ['2026-11-21 08:01:02+0100', true],
    ['2026-11-21', true],
    ['2026-13-45', false],
    ['21/11/2026', false],
    ['2026', false],
    ['tomorrow', false],
  ])('is read out of %s: %s', (text, isOne) => {
    expect(momentOf(text, false) !== undefined).toBe(isOne);
  });

  it('is read out of seconds only where the field is known to hold one', () => {
    expect(momentOf('1798000000', isMomentField('exp'))?.toISOString()).toBe('2026-12-23T04:26:40.000Z');
    expect(momentOf('1798000000', isMomentField('phone'))).toBeUndefined();
  });

  it('is said by the day as long as that is near', () => {
    const now = new Date(2026, 10, 22, 12);
    const at = (day: number) => sayMoment(new Date(2026, 10, day, 9, 5), 'en', now.getTime());
    expect([at(21), at(22), at(23)]).toEqual(['yesterday, 9:05 AM', 'today, 9:05 AM', 'tomorrow, 9:05 AM']);
    expect(at(1)).toBe('Nov 1, 2026, 9:05 AM');
    expect(sayMoment(new Date(2026, 10, 22, 9, 5), 'es', now.getTime())).toBe('hoy, 9:05');
  });
});
