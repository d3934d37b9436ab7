import { describe, expect, it } from 'vitest';
import { inEnglish, inSpanish } from '../../../support/in-language.ts';
import { duringOf, phasesOf, shortFailureOf } from '../../../../renderer/answers/call-text.ts';
import { callFormatters } from '../../../../renderer/format.ts';

describe('sizes and durations', () => {
  const { size, duration } = inEnglish(callFormatters);
  const spanish = inSpanish(callFormatters);

  it('are said in the unit that suits them', () => {
    expect([0, 999, 1000, 1449, 999_949, 999_950, 52_428_800].map(size)).toEqual([
      '0 bytes',
      '999 bytes',
      '1 kB',
      '1.4 kB',
      '999.9 kB',
      '1 MB',
      '52.4 MB',
    ]);
    expect([0.2, 84.4, 999.4, 999.6, 12_340].map(duration)).toEqual(['0 ms', '84 ms', '999 ms', '1 sec', '12.3 sec']);
  });

  it('are said in the language', () => {
    expect(spanish.size(1449)).toBe('1,4 kB');
    expect(spanish.duration(12_340)).toBe('12,3 s');
  });

  it('name the day only where it is another one', () => {
    const words = inEnglish(callFormatters);
    const noon = new Date(2026, 10, 21, 12, 30, 5);
    expect(words.moment(noon.toISOString(), noon)).not.toContain('/');
    expect(words.moment(noon.toISOString(), new Date(2026, 10, 22))).toMatch(/^yesterday, 12:30/);
    expect(words.moment(noon.toISOString(), new Date(2026, 11, 22))).toMatch(/^Nov 21, 2026, /);
  });
});

describe('the phases of a call', () => {
  it('are the times between its moments', () => {
    const timings = { dnsMs: 2, connectMs: 5, tlsMs: 15, firstByteMs: 40, totalMs: 42 };
    expect(phasesOf(timings, false)).toEqual([
      { name: 'dns', ms: 2 },
      { name: 'connect', ms: 3 },
      { name: 'tls', ms: 10 },
      { name: 'firstByte', ms: 25 },
      { name: 'download', ms: 2 },
    ]);
  });

  it('leave out what did not happen, are never less than nothing, and end with a failure', () => {
    expect(phasesOf({ firstByteMs: 9, totalMs: 12 }, false).map(({ ms }) => ms)).toEqual([9, 3]);
    expect(phasesOf({ dnsMs: 5, connectMs: 4, totalMs: 10 }, true)).toEqual([
      { name: 'dns', ms: 5 },
      { name: 'connect', ms: 0 },
      { name: 'untilFailure', ms: 5 },
    ]);
  });
});

it.each([
  ['/app/api/v1/auth/login', 'login'],
  ['/api/v1/auth/register/', 'register'],
  ['/api/v1/auth/perfil?x=/login', 'check'],
  ['/api/v1/auth/salir', 'logout'],
  ['/', 'server'],
])('what was being done at %s is %s', (path, during) => {
  expect(duringOf(path)).toBe(during);
});

it('a failure of an unknown kind has a short word', () => {
  expect(shortFailureOf('tls')).toBe('tls');
  expect(shortFailureOf('something new')).toBe('unexpected');
});
