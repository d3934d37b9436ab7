import { describe, expect, it } from 'vitest';
import { cleanEmail, isSeveralEmails } from '../../preload/contract/clean-email.ts';

describe('an email that was pasted', () => {
  it.each<[typed: string, email: string]>([
    [' ana@example.test\n', 'ana@example.test'],
    ['\u200Bana@example.test\uFEFF', 'ana@example.test'],
    ['ana\u00AD@example.test', 'ana@example.test'],
    ['\u00A0ana@example.test\u202C', 'ana@example.test'],
    ['mailto:ana@example.test', 'ana@example.test'],
    ['mailto:ana%2Bshop@example.test?subject=Hi', 'ana+shop@example.test'],
    ['Ana Vega <ana@example.test>', 'ana@example.test'],
    ['"Vega, Ana" <ana@example.test>;', 'ana@example.test'],
    ['<mailto:ana@example.test>', 'ana@example.test'],
    ...[
      '""',
      "''",
      '“”',
      '‘’',
      '«»',
      '»«',
      '„“',
      '‚‘',
      '「」',
      '『』',
      '《》',
      '``',
      '＂＂',
      '()',
      '[]',
      '<>',
      '{}',
    ].map(([open, close]): [string, string] => [`${open}ana@example.test${close}`, 'ana@example.test']),
    ['"\'ana@example.test\'",', 'ana@example.test'],
    ["'o'brien@example.test'", "o'brien@example.test"],
    ['"o\'brien@example.test"', "o'brien@example.test"],
    ['“ana@example.test', 'ana@example.test'],
    ['"ana@example.test', 'ana@example.test'],
    ['ana@example.test"', 'ana@example.test'],
    ['ana@example.test,', 'ana@example.test'],
    ['ana@example.test;', 'ana@example.test'],
    ['ana@example.test.', 'ana@example.test'],
    ['ana@example.test. ', 'ana@example.test'],
    ['(ana@example.test).', 'ana@example.test'],
    ['ana@example.test>', 'ana@example.test'],
    ['mailto:ana%40example.test?subject=Hi%20there&cc=bea@example.test', 'ana@example.test'],
    ['MAILTO:ana@example.test', 'ana@example.test'],
    ['mailto:ana@example.test?subject=Hi there', 'ana@example.test'],
    ['"mailto:ana@example.test"', 'ana@example.test'],
    ['<mailto:ana@example.test|ana@example.test>', 'ana@example.test'],
    ['<mailto:ana%40example.test|Ana>', 'ana@example.test'],
    ['<mailto:a|b@example.test|a|b@example.test>', 'a|b@example.test'],
    ['[ana@example.test](mailto:ana@example.test)', 'ana@example.test'],
    ['[Ana Vega](mailto:ana%2Bshop@example.test?subject=Hi "write")', 'ana+shop@example.test'],
    ['[Ana](<mailto:ana@example.test>),', 'ana@example.test'],
    ['<a href="mailto:ana@example.test">ana@example.test</a>', 'ana@example.test'],
    ["'ana@example.test' <ana@example.test>", 'ana@example.test'],
    ['Ana Vega <mailto:ana@example.test>', 'ana@example.test'],
    ['E-mail: ana@example.test', 'ana@example.test'],
    ['Correo electrónico: <ana@example.test>.', 'ana@example.test'],
    ['ana@example.test (Ana Vega)', 'ana@example.test'],
    ['ana%40example.test', 'ana@example.test'],
    ['"ana maria"@example.test,', '"ana maria"@example.test'],
    ['<"ana, maria"@example.test>', '"ana, maria"@example.test'],
  ])('is taken out of what it came with: %j', (typed, email) => {
    expect(cleanEmail(typed)).toBe(email);
  });

  it.each([
    '',
    'ana',
    'ana.',
    '"ana"',
    'Ana.Vega+1@Example.test',
    'a b@example.test',
    'mailto:',
    'ñandú@correo.test',
    'ana@ñandú.test',
    "o'brien@example.test",
    "'ana@example.test",
    "''ana''@example.test",
    '`ana@example.test',
    '{ana}@example.test',
    'a&b|c/d=e?f^g@example.test',
    'ana%shop@example.test',
    '"ana maria"@example.test',
    '"a@b, c@d"@example.test',
    '"a\\"b"@example.test',
    '"<ana>"@example.test',
    'ana@[192.0.2.1]',
    'ana@[IPv6:2001:db8::1]',
    'ana:secret@example.test',
    'mailto@example.test',
  ])('stays what it is where it came with nothing: %j', (typed) => {
    expect(cleanEmail(typed)).toBe(typed);
    expect(isSeveralEmails(typed)).toBe(false);
  });

  it('keeps what cannot be decoded', () => {
    expect(cleanEmail('mailto:%E0@x')).toBe('%E0@x');
  });

  it.each([
    'ana@example.test, bea@example.test',
    'ana@example.test;bea@example.test',
    'ana@example.test bea@example.test',
    'ana@example.test\nbea@example.test',
    'Ana <ana@example.test>, Bea <bea@example.test>',
    'ana@example.test <bea@example.test>',
    'mailto:ana@example.test,bea@example.test',
    '[ana@example.test](mailto:bea@example.test)',
    '"ana@example.test", "bea@example.test"',
    'ana%40example.test,bea%40example.test',
  ])('is not guessed among several: %j', (typed) => {
    expect(isSeveralEmails(typed)).toBe(true);
    expect(cleanEmail(typed)).toBe(typed);
  });

  it('is one, however often it was copied', () => {
    expect(isSeveralEmails('Ana@example.test, <ana@example.test>')).toBe(false);
  });
});
