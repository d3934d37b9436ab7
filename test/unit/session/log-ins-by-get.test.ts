import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { formatCommand } from '../../../main/client/recording/format-command.ts';
import { spellingsOf } from '../../../main/client/secrets/known-secrets.ts';
import { formatHar } from '../../../main/tools/calls/har.ts';
import { CommandForm } from '../../../preload/contract/calls.ts';
import { startJsonServer } from '../../support/described-servers.ts';
import type { Main } from '../../support/make-main.ts';
import { filesContaining } from '../../support/temporary-folder.ts';
import { anaForm, entered, withPerson } from '../../support/with-person.ts';

const all = { search: '', outcome: 'all', checks: 'with', pinnedOnly: false } as const;

/** A small Parse Server: a log-in by GET, a token in a header of its own. It may say the address back, or lead on with it. */
async function startParseLike(password: string, member: string) {
  const does = { next: 'answers' as 'answers' | 'echoes' | 'redirects' | 'breaks' };
  const given: string[] = [];
  const server = await startJsonServer(({ method, target, headers }) => {
    const { pathname, search, searchParams } = new URL(target, 'http://here.invalid');
    if (headers['x-parse-application-id'] !== 'shop') return { status: 403, body: { error: 'unauthorized' } };
    if (pathname === '/parse/login' && method === 'GET') {
      if (does.next === 'breaks')
        return { status: 200, body: '{"objectId":', headers: { 'Content-Length': '4000', Connection: 'close' } };
      if (does.next === 'redirects') return { status: 301, headers: { Location: `/parse/login/${search}` } };
      if (does.next === 'echoes') return { status: 400, body: { code: 1, error: `Cannot GET ${target}` } };
      if (searchParams.get('username') !== anaForm.email || searchParams.get(member) !== password)
        return { status: 404, body: { code: 101, error: 'Invalid username/password.' } };
      const sessionToken = `r:${randomUUID()}`;
      given.push(sessionToken);
      return { status: 200, body: { objectId: 'x1', username: anaForm.email, sessionToken } };
    }
    const isIn = given.includes(String(headers['x-parse-session-token']));
    if (!isIn) return { status: 400, body: { code: 209, error: 'Invalid session token' } };
    if (pathname === '/parse/logout') given.length = 0;
    return { status: 200, body: { objectId: 'x1', username: anaForm.email, email: anaForm.email } };
  });
  return { ...server, does };
}

async function mainBy(baseUrl: string, member: string): Promise<Main> {
  const { main } = await withPerson({ there: { baseUrl } });
  const text = JSON.stringify({
    name: 'Parse',
    prefix: '/parse',
    calls: {
      login: {
        method: 'GET',
        path: '/login',
        encoding: 'query',
        body: { username: '{{email}}', [member]: '{{password}}' },
      },
      profile: { path: '/users/me' },
      logout: { path: '/logout' },
    },
    headers: { 'X-Parse-Application-Id': 'shop' },
    security: { type: 'apiKey', in: 'header', name: 'X-Parse-Session-Token' },
    outputs: { token: '$response.body#/sessionToken' },
    unauthenticated: [{ status: 400, body: { code: 209 } }],
  });
  const edited = { ...entered(main, 'there', {}), id: 'there', enteredInterface: { text, variables: [] } };
  expect(await main.servers.edit(edited)).toMatchObject({ ok: true });
  return main;
}

/** Under a name that says nothing, with signs that are encoded in as many ways as there are encoders; the last is short. */
const passwords = [
  ['pw', `corr+ct h&rse=b'ttery (!*) ~ñ漢/?#%20"`],
  ['geheim', '¿a b?'],
  ['q', 'z+9'],
] as const;

describe.each(passwords)('a log-in by GET whose password stands under %s, %s,', (member, password) => {
  it('is in, is refused where it is wrong, and shows the password nowhere', async () => {
    const { baseUrl, requests, does } = await startParseLike(password, member);
    const main = await mainBy(baseUrl, member);
    expect(await main.session.logins.login({ email: anaForm.email, password })).toEqual({ ok: true, value: null });
    expect(main.state.get().session).toMatchObject({ step: 'signed-in', check: { state: 'checked' } });
    expect(new URLSearchParams(requests[0]!.target.split('?')[1]).get(member)).toBe(password);
    expect(requests.map(({ method, body }) => method + body)).toEqual(['GET', 'GET']);
    const failures = [];
    for (const next of ['echoes', 'redirects', 'breaks'] as const) {
      does.next = next;
      failures.push(await main.session.logins.login({ email: anaForm.email, password }));
    }
    does.next = 'answers';
    failures.push(await main.session.logins.login({ email: anaForm.email, password: `${password}${password}` }));
    expect(failures).toMatchObject(Array.from({ length: 4 }, () => ({ ok: false })));
    await main.calls.settled();
    const calls = main.calls.findAll(all).map(({ id }) => {
      const found = main.calls.get(id);
      if (!found.ok) throw new Error(found.error.kind);
      return found.value;
    });
    expect(calls).toHaveLength(6);
    const commands = calls.flatMap(({ request }) => CommandForm.options.map((form) => formatCommand(request, form)));
    const har = formatHar(calls, { name: 'Llavero', version: '0.0.0' });
    const shown = [calls, commands, har, failures, main.told, main.calls.findAll(all)].map((each) =>
      JSON.stringify(each),
    );
    for (const spelling of spellingsOf(password)) {
      // As it stands in JSON, too.
      for (const text of [spelling, JSON.stringify(spelling).slice(1, -1)]) {
        expect(shown.filter((each) => each.includes(text))).toEqual([]);
        expect(await filesContaining(main.folder, text)).toEqual([]);
      }
    }
    expect(shown.join('\n')).toContain(`${member}=`);
  });
});
