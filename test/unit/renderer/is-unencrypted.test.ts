import { expect, it } from 'vitest';
import { isUnencrypted } from '../../../renderer/is-unencrypted.ts';

it.each([
  ['http://staging.example.test:8000', true],
  ['http://192.168.1.5', true],
  ['http://128.0.0.1', true],
  ['http://localhost.example.test', true],
  ['http://notlocalhost', true],
  ['http://[2001:db8::1]:80', true],
  ['https://staging.example.test', false],
  ['http://127.0.0.1:4848', false],
  ['http://127.9.8.7', false],
  ['http://[::1]:4848', false],
  ['http://localhost:8000/app', false],
  ['http://shop.localhost', false],
  ['', false],
])('%s leaves the computer in clear: %s', (baseUrl, readable) => {
  expect(isUnencrypted(baseUrl)).toBe(readable);
});
