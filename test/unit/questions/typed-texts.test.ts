import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTypedTexts, type Press } from '../../../main/questions/typed-texts.ts';

const key = (name: string, command = false): Press => ({ by: 'key', key: name, command });
const keys = (text: string): Press[] => Array.from(text, (each) => key(each));
const click: Press = { by: 'mouse' };

function after(...presses: Press[]) {
  const typed = createTypedTexts();
  for (const each of presses) typed.pressed(each);
  return typed;
}

describe('a text that was typed', () => {
  it.each<[string, Press[]]>([
    ['and ended with Enter', [...keys('shop.test'), key('Enter')]],
    ['and is still being typed', keys('shop.test')],
    ['after a press of the mouse, and left by another', [...keys('rest'), click, ...keys('shop.test'), click]],
    ['in the place of all that was there', [...keys('old'), key('A', true), ...keys('shop.test')]],
    ['with capital letters beside it', [key('Shift'), ...keys('shop.test'), key('Tab')]],
    ['with a slip that was taken back', [...keys('shop.tesd'), key('Backspace'), ...keys('t')]],
    ['with spaces around it', keys('  shop.test ')],
  ])('is known %s', (_what, presses) => {
    expect(after(...presses).hasAddress('shop.test')).toBe(true);
  });

  it.each<[string, Press[]]>([
    ['when nothing was', []],
    ['when a part of it was', keys('shop.tes')],
    ['when more was', keys('shop.test.evil')],
    ['when it was pasted', [key('v', true)]],
    ['when a part of it was pasted', [...keys('shop'), key('V', true), ...keys('shop.test')]],
    ['when the keys went elsewhere in between', [...keys('shop'), key('ArrowLeft'), ...keys('.test')]],
    ['when it is the sum of two texts', [...keys('shop'), key('Tab'), ...keys('.test')]],
    ['when a character was composed', [...keys('shop'), key('Process'), ...keys('.test')]],
    ['when it was forgotten with Escape', [...keys('shop.test'), key('Escape')]],
  ])('is not known %s', (_what, presses) => {
    expect(after(...presses).hasAddress('shop.test')).toBe(false);
  });

  it('is no address when it is a single word, which may be a name or a password', () => {
    expect(after(...keys('hunter2')).hasAddress('hunter2')).toBe(false);
    expect(after(...keys('localhost')).hasAddress('localhost')).toBe(true);
    expect(after(...keys('')).hasAddress('')).toBe(false);
  });

  it('is forgotten by a lock, and after fifty others', () => {
    const typed = after(...keys('shop.test'), key('Enter'));
    typed.forget();
    expect(typed.hasAddress('shop.test')).toBe(false);
    for (const each of [...keys('shop.test'), click]) typed.pressed(each);
    for (let count = 0; count < 50; count += 1) for (const each of [...keys(`a${count}`), click]) typed.pressed(each);
    expect(typed.hasAddress('shop.test')).toBe(false);
  });

  it('is known exactly when its keys came one after the other, whatever else was pressed', () => {
    const wanted = 'a.b';
    const press = fc.constantFrom(...keys('ab. '), click, key('Tab'), key('ArrowLeft'), key('v', true), key('Shift'));
    fc.assert(
      fc.property(fc.array(press, { maxLength: 30 }), (presses) => {
        const said = presses.map((each) => {
          if (each.by === 'mouse' || each.key === 'Tab') return '|';
          if (each.key === 'Shift') return '';
          return each.command || each.key.length > 1 ? '#' : each.key;
        });
        const texts = said.join('').split('|');
        expect(after(...presses).hasAddress(wanted)).toBe(texts.some((text) => text.trim() === wanted));
      }),
    );
  });
});
