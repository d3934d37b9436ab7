import { describe, expect, it } from 'vitest';
import { createFaultPlan, formatFault, parseFault } from '../../main/service/fault-injection/faults.ts';
import { fault } from './support/fault-injection.ts';

describe('a fault as it is typed', () => {
  it.each([
    'login:429=30:3',
    'profile:reset:0.2',
    'profile:latency=1500:5',
    'logout:latency=0-60000:1.0',
    'register:500:1',
    'registro:html=200:1',
    'profile:drip=1:0.0',
    'profile:expired:2',
    'login:truncated:1',
  ])('is read and written again: %s', (text) => {
    expect(formatFault(fault(text))).toBe(text);
  });

  it('has a parameter also where none is typed', () => {
    expect(formatFault(fault('login:429:3'))).toBe('login:429=30:3');
    expect(formatFault(fault('login:latency:3'))).toBe('login:latency=1000:3');
  });

  it('names its operation, or the path of it', () => {
    expect(formatFault(fault('perfil:500:1'))).toBe('profile:500:1');
    expect(formatFault(fault('salir:500:1'))).toBe('logout:500:1');
  });

  it.each([
    ['', 'A fault has the form'],
    ['login', 'A fault has the form'],
    ['login:429', 'A fault has the form'],
    ['login:429:1:1', 'A fault has the form'],
    ['login:429=1=2:1', 'A fault has the form'],
    ['logoff:429:1', 'The operation of a fault is one of registro, register, login, profile, logout.'],
    ['login:418:1', 'The kind of a fault is one of latency, 500, 429, expired, reset, truncated, html, drip.'],
    ['login:toString:1', 'The kind of a fault is one of latency'],
    ['login:expired:1', 'The fault "expired" is one of profile and logout, not of login.'],
    ['login:500:0', 'How often a fault happens is a count from 1 to 1000000 or a probability from 0.0 to 1.0.'],
    ['login:500:1.5', 'How often a fault happens'],
    ['login:500:-1', 'How often a fault happens'],
    ['login:500:1e9', 'How often a fault happens'],
    ['login:500=7:1', 'The fault "500" takes no parameter.'],
    ['login:429=0:1', 'The fault "429" takes a number from 1 to 3600.'],
    ['login:429=1-2:1', 'The fault "429" takes a number from 1 to 3600.'],
    ['login:latency=9-1:1', 'The fault "latency" takes a number from 0 to 60000, or two of them as MIN-MAX.'],
    ['login:html=99:1', 'The fault "html" takes a number from 200 to 599.'],
  ])('is refused in a sentence: %s', (text, sentence) => {
    const read = parseFault(text);
    expect(read.ok ? 'read' : read.sentence).toContain(sentence);
  });
});

describe('the plan of faults', () => {
  const run = (seed: number, between: (plan: ReturnType<typeof createFaultPlan>) => void = () => {}) => {
    const plan = createFaultPlan(
      [fault('profile:latency=1-1000:0.5'), fault('profile:reset:0.2'), fault('login:500:0.5')],
      seed,
    );
    return Array.from({ length: 50 }, () => {
      between(plan);
      return plan.pick('profile');
    });
  };

  it('is the same for the same seed, whatever the other operations do meanwhile, and another for another', () => {
    expect(run(7)).toEqual(run(7));
    expect(run(7, (plan) => plan.pick('login'))).toEqual(run(7));
    expect(run(8)).not.toEqual(run(7));
  });

  it('goes wrong as often as it should', () => {
    const plan = createFaultPlan([fault('profile:reset:0.2'), fault('login:500:0.0'), fault('logout:500:1.0')], 3);
    const count = (operation: 'profile' | 'login' | 'logout') =>
      Array.from({ length: 5000 }, () => plan.pick(operation)).filter(({ other }) => other).length;
    expect(count('profile') / 5000).toBeCloseTo(0.2, 1);
    expect([count('login'), count('logout')]).toEqual([0, 5000]);
  });

  it('draws a random latency between its bounds, both included', () => {
    const plan = createFaultPlan([fault('profile:latency=3-5:1.0')], 1);
    const drawn = Array.from({ length: 300 }, () => plan.pick('profile').latencyMs);
    expect(new Set(drawn)).toEqual(new Set([3, 4, 5]));
  });
});
