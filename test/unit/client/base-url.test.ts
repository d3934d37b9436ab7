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
    // What a field began with, and an address pasted behind it.
    ['http://http://127.0.0.1:8000', 'http://127.0.0.1:8000'],
    ['https:// https://x.test', 'https://x.test'],
    ['http://https://x.test/app', 'https://x.test/app'],
    ['http:https://x.test', 'https://x.test'],
    ['http:// localhost:8000', 'http://localhost:8000'],
    // The interface's own path in any case, and with doubled slashes.
    ['http://127.0.0.1:8000//api/v1/auth//login', 'http://127.0.0.1:8000'],
    ['HTTP://LOCALHOST:8000/API/V1/AUTH/LOGIN', 'http://localhost:8000'],
    ['https://x.test/App//Api/V1/', 'https://x.test/App'],
    ['127.0.0.1:8000//api', 'http://127.0.0.1:8000'],
    // What else a path may have by RFC 3986.
    ["http://127.0.0.1:8000/it's%20here", "http://127.0.0.1:8000/it's%20here"],
    ["https://x.test/rock'n'", "https://x.test/rock'n'"],
    ['https://x.test/a,b', 'https://x.test/a,b'],
    ['https://x.test/api;v=1', 'https://x.test/api;v=1'],
    ['https://x.test/(x)', 'https://x.test/(x)'],
    ['see https://x.test/(x).', 'https://x.test/(x)'],
    ['https://x.test/!$&*+=:@~', 'https://x.test/!$&*+=:@~'],
    ['https://x.test/a//b', 'https://x.test/a//b'],
    ['https://x.test/proxy/https://y.test/app', 'https://x.test/proxy/https://y.test/app'],
    ['https://x.test/%7Btenant%7D', 'https://x.test/%7Btenant%7D'],
    ['https://x.test/@ana/api-docs', 'https://x.test/@ana/api-docs'],
    ['example.com/ana@home', 'https://example.com/ana@home'],
    // One address among other words.
    ['{"url":"http://127.0.0.1:8000/api/v1/auth/login","status":200}', 'http://127.0.0.1:8000'],
    [String.raw`"baseUrl": "http:\/\/127.0.0.1:8000\/app",`, 'http://127.0.0.1:8000/app'],
    ["{'url': 'http://127.0.0.1:8000'}", 'http://127.0.0.1:8000'],
    ['INFO:     Uvicorn running on http://127.0.0.1:8000 (Press CTRL+C to quit)', 'http://127.0.0.1:8000'],
    ['2026-11-28T10:00:00Z [info] Listening at: http://0.0.0.0:8000, pid 7', 'http://0.0.0.0:8000'],
    ['Local: http://localhost:5173/', 'http://localhost:5173'],
    ['API_URL=http://localhost:8000', 'http://localhost:8000'],
    ['{"email":"ana@example.test","at":"https://x.test"}', 'https://x.test'],
    ['http://x.test http://x.test/', 'http://x.test'],
    // Signs that end a sentence.
    ['example.com.', 'https://example.com'],
    ['https://x.test!', 'https://x.test'],
    ["https://x.test'", 'https://x.test'],
    ['https://x.test/app;', 'https://x.test/app'],
    ['«https://x.test/app».', 'https://x.test/app'],
    // Of version 6 without brackets, where nothing of it can be a port.
    ['http://::1', 'http://[::1]'],
    ['http://2001:db8::1/app', 'http://[2001:db8::1]/app'],
    ['http://::ffff:127.0.0.1', 'http://[::ffff:7f00:1]'],
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
    ['https://x .test', 'more'],
    ['http://localhost:8000 is up', 'more'],
    ['https://x.test\\evil', 'not-a-url'],
    ['a..b', 'not-a-url'],
    ['https://x.test:99999', 'port'],
    ['localhost:65536/api', 'port'],
    ['localhost:0', 'port'],
    ['http://localhost:80a0', 'port'],
    ['http://[::1]:99999', 'port'],
    ['http://localhost:8000:9000', 'port'],
    ['::1:8000', 'ipv6'],
    ['http://2001:db8::5:443/app', 'ipv6'],
    ['1:2:3:4:5:6:7:8:8000', 'ipv6'],
    ['http://http//x.test', 'scheme-unclear'],
    ['http;//x.test', 'scheme-unclear'],
    ['http.//x.test', 'scheme-unclear'],
    ['http://a.test, http://b.test', 'several'],
    ['http://a.test,http://b.test', 'several'],
    ['http://a.test/x;http://b.test/y', 'several'],
    ['➜ Local: http://localhost:5173/ ➜ Network: http://192.168.1.5:5173/', 'several'],
    ['localhost:8000, localhost:9000', 'several'],
    ['a.test b.test', 'several'],
    ['a.test and b.test', 'several'],
    ['curl -X POST http://127.0.0.1:8000/login -d "{}"', 'command'],
    ['$ curl http://127.0.0.1:8000', 'command'],
    ['```bash\ncurl http://127.0.0.1:8000', 'command'],
    ['PS C:\\> curl.exe http://127.0.0.1:8000', 'command'],
    ['ana@nas:~$ wget https://x.test/login', 'command'],
    ['http POST localhost:8000/login email=ana@example.test', 'command'],
    ['http localhost:8000/login email=ana@example.test', 'command'],
    ['$r = Invoke-RestMethod -Uri https://x.test/login', 'command'],
    ['await fetch("https://x.test/login", {})', 'command'],
    [`curl https://x.test -d '${'x'.repeat(3000)}'`, 'command'],
    ['x'.repeat(3000), 'not-a-url'],
    ['https://{tenant}.example.com', 'placeholder'],
    ['http://${HOST}:8000', 'placeholder'],
    ['http://$HOST:8000/app', 'placeholder'],
    ['http://<host>:8000', 'placeholder'],
    ['https://x.test/{tenant}/api', 'placeholder'],
    ['{"url":"https://x.test/?a=b"}', 'query'],
    ['https://x.test/a|b', 'not-a-url'],
    ["https://exa'mple.test/a", 'not-a-url'],
    ['https://x;y.test', 'not-a-url'],
    ['POST /api/v1/auth/login HTTP/1.1', 'not-a-url'],
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
        const isCutAgain = /\/api(\/v1(\/auth)?)?$/i.test(parsed.value);
        expect(isCutAgain ? parsed : parseBaseUrl(parsed.value)).toEqual(parsed);
      }),
      { numRuns: 2_000 },
    );
  });
});
