import { expect, it } from 'vitest';
import { severityOfPlainHttp } from '../../../main/check/cases/plain-http.ts';

const of = (host: string) => severityOfPlainHttp(new URL(`http://${host}`).hostname);

it.each(['localhost', 'app.localhost', 'localhost.', '127.0.0.1', '127.9.9.9', '[::1]', '[::ffff:127.0.0.1]'])(
  'plain http at %s leaves this computer in no case, and is no finding',
  (host) => expect(of(host)).toBeUndefined(),
);

it.each([
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.9',
  '169.254.1.1',
  '[fd00::1]',
  '[fc00::1]',
  '[fe80::1]',
  '[::ffff:10.0.0.1]',
  '0x0a000001',
  'db',
  'DB:8000',
  'printer.local',
  'shop.test',
  'shop.test.',
  'api.shop.internal',
])('plain http at %s is low', (host) => expect(of(host)).toBe('low'));

it.each([
  '8.8.8.8',
  '172.15.0.1',
  '172.32.0.1',
  '192.169.1.1',
  '100.64.0.1',
  '[2001:db8::1]',
  '[::ffff:8.8.8.8]',
  'example.com',
  'test.example.org',
  'internal.example.com',
  'localhost.example.org',
  '192.168.1.1.nip.io',
  'shop.lan',
])('plain http at %s is high', (host) => expect(of(host)).toBe('high'));
