import { describe, expect, it } from 'vitest';
import { safeExternalUrl } from '../../preload/contract/external-url.ts';

describe('what may be opened outside', () => {
  it.each([
    ['https://example.org', 'https://example.org/'],
    ['HTTP://EXAMPLE.org:8080/a?b=c#d', 'http://example.org:8080/a?b=c#d'],
    ['http://münchen.test/', 'http://xn--mnchen-3ya.test/'],
    ['ana+tag@example.test', 'mailto:ana+tag@example.test'],
    ['mailto:ana@example.test', 'mailto:ana@example.test'],
  ])('is %s, as %s', (text, link) => {
    expect(safeExternalUrl(text)).toBe(link);
    expect(safeExternalUrl(link)).toBe(link);
  });

  it.each([
    '',
    'ana',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://host/share',
    'ms-msdt:/id',
    'llavero://server/x',
    'data:text/html,x',
    'https://',
    'https://user:secret@example.org/',
    'https://ana@example.org/',
    'https://example.org/\u202Egpj.exe',
    ' https://example.org',
    'https://example.org/a b',
    'https://example.org\n',
    `https://example.org/${'x'.repeat(2000)}`,
    'mailto:ana@example.test?attach=/etc/passwd',
    'mailto:ana@example.test,eve@example.test',
    'ana@example.test?bcc=eve@example.test',
    'a@b@c',
    'Ana <ana@example.test>',
    '-flag@x y',
  ])('is not %j', (text) => {
    expect(safeExternalUrl(text)).toBeUndefined();
  });
});
