import { describe, expect, it } from 'vitest';
import { startI18n } from '../../../../renderer/i18n.ts';
import { fieldLabel } from '../../../../renderer/screens/account/profile/field-labels.ts';

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
    ['name', 'Name', 'Nombre'],
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
