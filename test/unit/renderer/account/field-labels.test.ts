import { describe, expect, it } from 'vitest';
import { fieldLabel } from '../../../../renderer/screens/account/profile/field-labels.ts';
import { inEnglish, inSpanish } from '../../../support/in-language.ts';

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
    expect(inEnglish(() => fieldLabel(key))).toBe(en);
    expect(inSpanish(() => fieldLabel(key))).toBe(es);
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
    expect(inEnglish(() => fieldLabel(key))).toBe(label);
  });

  it('is short, however long the key is', () => {
    expect(Array.from(inEnglish(() => fieldLabel('👩‍👩‍👧'.repeat(1000)))).length).toBeLessThan(70);
  });
});
