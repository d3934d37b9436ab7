import { describe, expect, it } from 'vitest';
import { parseEpoch, parseDate } from '../../../main/client/reading/parse-date.ts';
import { parseDateField, tellsTime } from '../../../main/client/reading/profile.ts';

const at = '2026-06-30T22:15:00.000Z';
const isoOf = (text: string) => {
  const moment = parseDate(text);
  if (moment?.is !== 'moment') return moment;
  return [new Date(moment.ms).toISOString(), moment.isZoneSaid];
};

describe('a text', () => {
  it.each(['1990-05-17', 'Thu May 17 1990'])('that says a day has no time and no zone: %s', (text) => {
    expect(parseDate(text)).toEqual({ is: 'day', day: '1990-05-17' });
  });

  it.each([
    ['ISO 8601', '2026-06-30T22:15:00Z'],
    ['with an offset', '2026-07-01T00:15:00+02:00'],
    ['with an offset of hours', '2026-07-01 00:15:00.000000+02'],
    ['of Ruby', '2026-06-30 22:15:00 UTC'],
    ['of Ruby with an offset', '2026-07-01 00:15:00 +0200'],
    ['of Go', '2026-06-30 22:15:00.123456789 +0000 UTC'],
    ['of Java', '2026-07-01T00:15:00+02:00[Europe/Madrid]'],
    ['without seconds', '2026-06-30T22:15Z'],
    ['of HTTP', 'Tue, 30 Jun 2026 22:15:00 GMT'],
    ['of mail', 'Tue, 30 Jun 2026 22:15:00 +0000'],
    ['of a cookie', 'Tuesday, 30-Jun-26 22:15:00 GMT'],
    ['of `date`', 'Tue Jun 30 22:15:00 UTC 2026'],
    ['of Twitter', 'Tue Jun 30 22:15:00 +0000 2026'],
    ['of JavaScript', 'Wed Jul 01 2026 00:15:00 GMT+0200 (Central European Summer Time)'],
    ['of .NET', '/Date(1782857700000)/'],
  ])('with a zone is read in it: %s', (_form, text) => {
    const [iso, isZoneSaid] = isoOf(text) as [string, boolean];
    expect([iso.slice(0, 19), isZoneSaid]).toEqual([at.slice(0, 19), true]);
  });

  it.each([
    ['of Laravel and Django', '2026-06-30 22:15:00'],
    ['of Python', '2026-06-30T22:15:00.000000'],
    ['of `ctime`', 'Tue Jun 30 22:15:00 2026'],
  ])('without a zone is taken as UTC, and known as such: %s', (_form, text) => {
    expect(isoOf(text)).toEqual([at, false]);
  });

  it.each([
    '2026-13-45',
    '2026-02-30',
    '0000-00-00 00:00:00',
    '0001-01-01T00:00:00Z',
    '2026-06-30T25:00:00Z',
    '01/02/2026',
    '30.06.2026',
    '2026',
    '20260630',
    '1782857700',
    'tomorrow',
    'May 2026',
    'Tue Foo 30 22:15:00 2026',
    'Tue Jun 30 22:15:00 CEST 2026',
    '2026-06-30 and more',
    '',
  ])('is no date: %j', (text) => {
    expect(parseDate(text)).toBeUndefined();
  });
});

describe('a number', () => {
  it.each([
    ['1782857700', at],
    ['1782857700.250', '2026-06-30T22:15:00.250Z'],
    ['1782857700000', at],
    ['253402300799', '9999-12-31T23:59:59.000Z'],
  ])('of seconds or milliseconds since 1970 is a moment where its name tells a time: %s', (digits, iso) => {
    const said = { is: 'moment', ms: Date.parse(iso), isZoneSaid: true };
    for (const value of [digits, { digits }]) {
      expect(parseDateField('created_at', value)).toMatchObject(said);
      expect(parseDateField('phone', value)).toBeUndefined();
    }
  });

  it.each(['900000', '3600', '1e9', '-1782857700', '500000000000', '1782857700000000', '01782857700'])(
    'is no moment whatever its name is: %s',
    (digits) => {
      expect(parseEpoch(digits)).toBeUndefined();
    },
  );
});

it.each([
  ['created_at', true],
  ['updatedAt', true],
  ['date_joined', true],
  ['lastLogin', true],
  ['last_seen', true],
  ['iat', true],
  ['exp', true],
  ['expires', true],
  ['fechaVencimiento', true],
  ['último_acceso', true],
  ['memberSince', true],
  ['lastlogin', true],
  ['id', false],
  ['phone', false],
  ['login', false],
  ['last', false],
  ['format', false],
  ['location', false],
  ['balance', false],
  ['account_number', false],
  ['', false],
])('whether a name tells a time: %s %s', (name, does) => {
  expect(tellsTime(name)).toBe(does);
});

it('is a day under the name of a birthday, also where a framework writes midnight behind it', () => {
  for (const value of ['1990-05-17T00:00:00.000000Z', '1990-05-17 00:00:00', '1990-05-17'])
    expect(parseDateField('fecha_nacimiento', value)).toEqual({ is: 'day', day: '1990-05-17' });
  expect(parseDateField('birthDate', '1990-05-17T08:00:00Z')).toMatchObject({ is: 'moment' });
  expect(parseDateField('created_at', '2026-05-17T00:00:00Z')).toMatchObject({ is: 'moment' });
});
