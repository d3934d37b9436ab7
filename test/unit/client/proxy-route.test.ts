import { describe, expect, it } from 'vitest';
import { ConnectionSettings } from '../../../preload/contract/connection.ts';
import { isExcepted, parseProxyAddress, parseResolvedProxies, proxyText } from '../../../main/client/proxy-route.ts';

describe("a proxy's address", () => {
  it.each([
    ['proxy.test:3128', { scheme: 'http', host: 'proxy.test', port: 3128 }],
    [' http://Proxy.test ', { scheme: 'http', host: 'proxy.test', port: 8080 }],
    ['http://proxy.test:80/', { scheme: 'http', host: 'proxy.test', port: 80 }],
    ['https://proxy.test', { scheme: 'https', host: 'proxy.test', port: 443 }],
    ['socks5://10.0.0.1', { scheme: 'socks5', host: '10.0.0.1', port: 1080 }],
    ['SOCKS://proxy_1:9050', { scheme: 'socks5', host: 'proxy_1', port: 9050 }],
    ['socks5h://proxy.test', { scheme: 'socks5', host: 'proxy.test', port: 1080 }],
    ['socks4a://proxy.test', { scheme: 'socks4', host: 'proxy.test', port: 1080 }],
    ['[2001:db8::1]:3128', { scheme: 'http', host: '2001:db8::1', port: 3128 }],
  ])('is read: %s', (text, proxy) => {
    expect(parseProxyAddress(text)).toEqual({ ok: true, proxy });
    expect(ConnectionSettings.safeParse({ proxy: { mode: 'manual', proxy } }).success).toBe(true);
  });

  it('gives its credentials apart', () => {
    expect(parseProxyAddress('http://ana:p%3A%C3%A4%20%25@proxy.test:1')).toEqual({
      ok: true,
      proxy: { scheme: 'http', host: 'proxy.test', port: 1 },
      username: 'ana',
      password: 'p:ä %',
    });
    expect(parseProxyAddress('ana:100%@proxy.test')).toMatchObject({ password: '100%' });
  });

  it.each([
    ['', 'empty'],
    ['ftp://proxy.test', 'scheme'],
    ['file:///proxy', 'scheme'],
    ['http://', 'not-an-address'],
    ['http://proxy.test:70000', 'not-an-address'],
    ['http://proxy.test:0', 'not-an-address'],
    ['http://proxy.test/path', 'not-an-address'],
    ['http://proxy.test?x', 'not-an-address'],
    ['my proxy', 'not-an-address'],
  ])('is refused: %s', (text, problem) => {
    expect(parseProxyAddress(text)).toEqual({ ok: false, problem });
  });
});

describe("a resolver's answer", () => {
  it.each([
    ['DIRECT', ['direct']],
    ['', []],
    [' ; ', []],
    ['PROXY a:1', ['http a:1']],
    ['proxy a; Direct', ['http a:8080', 'direct']],
    ['HTTPS a:1;SOCKS5 b:2 ; SOCKS c:3; SOCKS4 [::1]:4', ['https a:1', 'socks5 b:2', 'socks4 c:3', 'socks4 [::1]:4']],
    ['QUIC a:1; DIRECT', ['direct']],
    ['QUIC a:1', []],
    ['PROXY', []],
  ])('is read: %s', (answer, expected) => {
    const ways = parseResolvedProxies(answer).map((route) =>
      route.via === 'direct' ? 'direct' : `${route.proxy.scheme} ${proxyText(route.proxy)}`,
    );
    expect(ways).toEqual(expected);
  });
});

describe('the list of hosts without a proxy', () => {
  it.each([
    ['http://example.test', 'example.test'],
    ['http://api.example.test', 'example.test'],
    ['http://api.example.test', '.example.test'],
    ['http://api.example.test', '*.example.test'],
    ['http://api.example.test', ' EXAMPLE.test '],
    ['http://example.test:8000', 'example.test:8000'],
    ['https://example.test', 'example.test:443'],
    ['http://anything', '*'],
    ['http://10.1.2.3', '10.0.0.0/8'],
    ['http://10.1.2.3:80', '10.1.2.3'],
    ['http://[::1]:8000', '::1'],
    ['http://[::1]:8000', '[::1]:8000'],
    ['http://[fd00::1]', 'fd00::/8'],
  ])('names %s by %s', (url, entry) => {
    expect(isExcepted(new URL(url), ['other.test', entry])).toBe(true);
  });

  it.each([
    ['http://example.test', 'ample.test'],
    ['http://example.test.evil.test', 'example.test'],
    ['http://example.test:8000', 'example.test:8001'],
    ['http://11.1.2.3', '10.0.0.0/8'],
    ['http://10.1.2.3', '1.2.3'],
    ['http://10.1.2.3', '10.0.0.0/99'],
    ['http://10.1.2.3', 'fd00::/8'],
    ['http://example.test', ' '],
    ['http://example.test', '/'],
  ])('does not name %s by %s', (url, entry) => {
    expect(isExcepted(new URL(url), [entry])).toBe(false);
  });
});
