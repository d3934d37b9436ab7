import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBaseUrl } from '../../../main/client/base-url.ts';

describe('parseBaseUrl', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com'],
    ['  https://api.example.com///  ', 'https://api.example.com'],
    ['HTTPS://API.Example.COM:443/', 'https://api.example.com'],
    ['http://api.example.com:80', 'http://api.example.com'],
    ['https://x.test/app', 'https://x.test/app'],
    ['https://x.test/app/', 'https://x.test/app'],
    ['https://x.test/App/Sub', 'https://x.test/App/Sub'],
    ['https://x.test/api', 'https://x.test'],
    ['https://x.test/api/v1/', 'https://x.test'],
    ['https://x.test/api/v1/auth', 'https://x.test'],
    ['https://x.test/api/v1/auth/login', 'https://x.test'],
    ['https://x.test/app/api/v1/auth/registro/', 'https://x.test/app'],
    ['https://x.test/api/api/v1/auth/perfil', 'https://x.test/api'],
    ['https://x.test/api/v2', 'https://x.test/api/v2'],
    ['https://x.test/myapi', 'https://x.test/myapi'],
    ['http://[::1]:8000/', 'http://[::1]:8000'],
    ['http://[2001:DB8:0::1]', 'http://[2001:db8::1]'],
    ['https://Ñandú.example/', 'https://xn--and-6ma2c.example'],
    ['https://x.test./', 'https://x.test'],
    ['http:/x.test', 'http://x.test'],
    ['“http://x.test”', 'http://x.test'],
    ["'https://x.test/app'", 'https://x.test/app'],
    ['<https://x.test>', 'https://x.test'],
    ['https://x.test,', 'https://x.test'],
    ['(https://x.test/api).', 'https://x.test'],
    ['\u200Bhttps://x.test\uFEFF', 'https://x.test'],
    ['[the staging server](https://x.test/app)', 'https://x.test/app'],
    ['POST http://x.test/api/v1/auth/login', 'http://x.test'],
    ['GET https://x.test HTTP/1.1', 'https://x.test'],
    ['`http://[::1]:8000`', 'http://[::1]:8000'],
  ])('reads %s as %s', (text, value) => {
    expect(parseBaseUrl(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['localhost', 'http://localhost'],
    ['localhost:8000', 'http://localhost:8000'],
    ['LOCALHOST:8000/api', 'http://localhost:8000'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['192.168.1.20', 'http://192.168.1.20'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['::1', 'http://[::1]'],
    ['nas', 'http://nas'],
    ['nas.local', 'http://nas.local'],
    ['api.proyecto.test', 'http://api.proyecto.test'],
    ['api.example.com', 'https://api.example.com'],
    ['api.example.com:8000', 'https://api.example.com:8000'],
    ['api.example.com:80', 'http://api.example.com'],
    ['localhost:443', 'https://localhost'],
    ['localhost:8443', 'https://localhost:8443'],
    ['8.8.8.8', 'https://8.8.8.8'],
    ['latest.example', 'https://latest.example'],
  ])('gives %s its scheme: %s', (text, value) => {
    expect(parseBaseUrl(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['http//x.test', 'scheme-unclear'],
    ['//nas.lan/app', 'scheme-unclear'],
    ['ftp://x.test', 'not-http'],
    ['file:///etc/passwd', 'not-http'],
    ['javascript:alert(1)', 'not-http'],
    ['mailto:ana@example.test', 'not-http'],
    ['https://ana:secret@x.test', 'credentials'],
    ['https://ana@x.test', 'credentials'],
    ['ana:secret@x.test', 'credentials'],
    ['https://x.test/?a=b', 'query'],
    ['https://x.test/#top', 'query'],
    ['x.test?token=1', 'query'],
    ['https://', 'not-a-url'],
    ['hello world', 'not-a-url'],
    ['https://x .test', 'not-a-url'],
    ['https://x.test\\evil', 'not-a-url'],
    ['a..b', 'not-a-url'],
    ['https://x.test:99999', 'not-a-url'],
    ['https://exa<mple.test', 'not-a-url'],
    ['http://%00', 'not-a-url'],
    ['http://[::1', 'not-a-url'],
    ['{"a":1}', 'not-a-url'],
  ])('refuses %s: %s', (text, problem) => {
    expect(parseBaseUrl(text)).toEqual({ ok: false, problem });
  });

  it('answers any text with a value that is a plain http(s) address, or with a problem', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), fc.domain(), fc.ipV6()), (text) => {
        const parsed = parseBaseUrl(text);
        if (!parsed.ok) return;
        const url = new URL(parsed.value);
        expect(url.protocol).toMatch(/^https?:$/);
        expect([url.username, url.password, url.search, url.hash]).toEqual(['', '', '', '']);
        expect(parsed.value).toBe(url.href.replace(/\/$/, ''));
        const isCutAgain = /\/api(\/v1(\/auth)?)?$/.test(parsed.value);
        expect(isCutAgain ? parsed : parseBaseUrl(parsed.value)).toEqual(parsed);
      }),
      { numRuns: 2_000 },
    );
  });
});
