import { expect, it } from 'vitest';
import { parseWebOrigin } from '../../../main/files/web-origin.ts';

it.each([
  ['http://localhost:5173', 'http://localhost:5173'],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
  ['https://app.example.test', 'https://app.example.test'],
  // The same origins, written in another way.
  ['http://localhost:5173/', 'http://localhost:5173'],
  ['HTTP://LocalHost:5173', 'http://localhost:5173'],
  ['https://app.example.test:443', 'https://app.example.test'],
  ['http://app.example.test:80', 'http://app.example.test'],
  ['http://bücher.example:3000', 'http://xn--bcher-kva.example:3000'],
  ['http://my_app.test:3000', 'http://my_app.test:3000'],
])('%s is the origin %s', (text, origin) => {
  expect(parseWebOrigin(text)).toBe(origin);
});

it.each([
  '',
  '*',
  'null',
  'http://*',
  'http://localhost:*',
  'http://*.example.test',
  'localhost:5173',
  'localhost',
  '//localhost:5173',
  'http://',
  'http://localhost:',
  'http://localhost:0',
  'http://localhost:99999',
  'http://localhost:5173/app',
  'http://localhost:5173//',
  'http://localhost:5173/?a',
  'http://localhost:5173?a',
  'http://localhost:5173#a',
  'http://ana@localhost:5173',
  'http://ana:secret@localhost:5173',
  String.raw`http:\\localhost:5173`,
  String.raw`http://localhost\@evil.example`,
  ' http://localhost:5173',
  'http://localhost:5173 http://localhost:3000',
  'http://localhost:5173,http://localhost:3000',
  'http://local\thost:5173',
  'http://localhost\u200b:5173',
  'http://%6cocalhost:5173',
  'file:///home/ana/index.html',
  'ftp://localhost',
  'javascript:alert(1)',
  `http://${'a'.repeat(300)}.test`,
])('%j is no exact origin', (text) => {
  expect(parseWebOrigin(text)).toBeUndefined();
});
