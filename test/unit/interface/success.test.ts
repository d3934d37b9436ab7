import { describe, expect, it } from 'vitest';
import { isLoginSuccess, isLogoutSuccess } from '../../../main/interface/success.ts';

const url = 'https://api.example.test/app/login';
const form = '<!doctype html><form><INPUT id=p TYPE = "password" name=pw></form>';
const criteria = [
  { status: 302, location: '/dashboard' },
  { status: 303, location: '/home?tab=1' },
  { status: 302, location: 'https://front.example.test/in' },
];

describe('a log-in whose description names the redirects that say yes', () => {
  it.each([
    [302, '/dashboard', '', true],
    [302, '/dashboard?welcome=1#top', '', true],
    [302, '../dashboard', '', true],
    [302, 'https://api.example.test/dashboard', '', true],
    [302, '/dashboard;jsessionid=0A1B?x=1', '', true],
    [302, 'https://front.example.test/in', '', true],
    [303, '/home?tab=1&more=2', '', true],
    [303, '/home', '', false],
    [303, '/dashboard', '', false],
    [302, '/dashboard/', '', false],
    [302, '/dashboards', '', false],
    [302, '/login', '', false],
    [302, '/app/login', '', false],
    [302, 'login?error', '', false],
    [302, '/', '', false],
    // The same path with a slash, another server and none at all say nothing of what was typed.
    [301, '/app/login/', '', undefined],
    [302, 'http://api.example.test/dashboard', '', undefined],
    [302, 'https://portal.example.test/dashboard', '', undefined],
    [302, '//evil.example.test/dashboard', '', undefined],
    [302, undefined, '', undefined],
    [304, undefined, '', undefined],
    [200, undefined, form, false],
    [200, undefined, '{"ok":true}', false],
    [204, undefined, '', false],
    [200, undefined, '<!doctype html><p>Sign in to the network</p>', undefined],
    [401, undefined, '', undefined],
    [500, undefined, form, undefined],
  ])('%s %s %s', (status, location, body, says) => {
    expect(isLoginSuccess(criteria, { status, location, body, url })).toBe(says);
  });

  it('says nothing where none are named', () => {
    expect(isLoginSuccess(undefined, { status: 302, location: '/dashboard', body: '', url })).toBeUndefined();
  });
});

describe('a log-out that is answered with a redirect', () => {
  it.each([
    [302, '/', true],
    [303, '/', true],
    [302, 'https://api.example.test/', true],
    [302, '/goodbye?from=app#top', true],
    [302, '/app/logged-out', true],
    [302, '/login', true],
    // The method goes along, or the call is somewhere else.
    [307, '/', false],
    [301, '/', false],
    [308, '/app/logout/', false],
    [302, '/app/logout/', false],
    [302, '/en/app/LOGOUT', false],
    [302, 'https://accounts.example.test/', false],
    [302, 'http://api.example.test/', false],
    [302, '//evil.example.test/', false],
    [302, 'https://', false],
    [302, undefined, false],
    [200, '/', false],
  ])('%s %s', (status, location, says) => {
    expect(isLogoutSuccess({ status, location, url: 'https://api.example.test/app/logout' })).toBe(says);
  });

  it('is at the first path of its server, too', () => {
    expect(isLogoutSuccess({ status: 302, location: '/', url: 'https://api.example.test/' })).toBe(true);
  });
});
