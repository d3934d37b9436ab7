import { describe, expect, it } from 'vitest';
import type { EditableRequest, EditedRequest, RedactedText } from '../../../preload/contract/calls.ts';
import { applyEdits } from '../../../main/tools/calls/edited-request.ts';
import { makeMain } from '../../support/make-main.ts';
import {
  anaQuoted,
  bea,
  editableOf,
  edited,
  idOf,
  makeLoggedIn,
  sent,
  startServer,
} from '../../support/replay-main.ts';
import { filesContaining } from '../../support/temporary-folder.ts';

const passwordIn = ({ body = [] }: EditableRequest) => body.find((part) => typeof part !== 'string')!;

describe('an edited request', () => {
  it('is offered without its secrets and without what HTTP itself writes', async () => {
    const { main, server } = await makeLoggedIn();
    const editable = editableOf(main, idOf(main, '/login'));
    expect(editable).toEqual({
      baseUrl: server.baseUrl,
      method: 'POST',
      path: ['/api/v1/auth/login'],
      headers: [
        { name: 'Accept', value: ['application/json'] },
        { name: 'Content-Type', value: ['application/json'] },
      ],
      body: [`{"email":"${anaQuoted.email}","password":"`, { secret: 'password', id: expect.any(String) }, '"}'],
    });
  });

  it('goes out byte for byte where nothing was edited, and its record says that it was only sent again', async () => {
    const { main, server } = await makeLoggedIn();
    const original = server.requests.find(({ target }) => target.endsWith('/login'))!;
    const id = idOf(main, '/login');
    const replay = await sent(main, id, edited(main, id));
    expect(server.requests.at(-1)!.raw).toBe(original.raw);
    expect(replay.replayOf).toEqual({ id });
  });

  it.each<[string, (editable: EditableRequest) => Partial<EditedRequest>]>([
    ['another method', () => ({ method: 'PUT' })],
    ['a longer path', ({ path }) => ({ path: [...path, '?a=1'] })],
    ['a header more', ({ headers }) => ({ headers: [...headers, { name: 'X-Trace', value: ['1'] }] })],
    ['a header less', ({ headers }) => ({ headers: headers.slice(1) })],
    ['its headers in another order', ({ headers }) => ({ headers: headers.toReversed() })],
    [
      'a header name in other letters',
      ({ headers }) => ({ headers: headers.map((h) => ({ ...h, name: h.name.toLowerCase() })) }),
    ],
    ['no body', () => ({ body: [] })],
    ['a space more in its body', ({ body = [] }) => ({ body: [...body, ' '] })],
    [
      'a text in the place of a secret',
      ({ body = [] }) => ({ body: body.map((part) => (typeof part === 'string' ? part : 'x')) }),
    ],
  ])('has a record that says it was edited, where it has %s', async (_what, part) => {
    const { main } = await makeLoggedIn();
    const id = idOf(main, '/login');
    const replay = await sent(main, id, edited(main, id, part(editableOf(main, id))));
    expect(replay.replayOf).toEqual({ id, change: 'edited' });
  });

  it('counts as sent again where its texts came back in other pieces', async () => {
    const { main } = await makeLoggedIn();
    const id = idOf(main, '/login');
    const { headers, path } = editableOf(main, id);
    const inPieces = (text: RedactedText): RedactedText =>
      text.flatMap((piece): RedactedText =>
        typeof piece === 'string' ? [piece.slice(0, 3), piece.slice(3), ''] : [piece],
      );
    const part = {
      path: inPieces(path),
      headers: headers.map(({ name, value }) => ({ name, value: inPieces(value) })),
    };
    expect((await sent(main, id, edited(main, id, part))).replayOf).toEqual({ id });
  });

  it('has what was typed, and main fills in the secrets as its form wants them', async () => {
    const { main, server } = await makeLoggedIn();
    const id = idOf(main, '/login');
    const password = passwordIn(editableOf(main, id));
    const request = edited(main, id, {
      method: 'PUT',
      path: ['/api/v1/auth/login?as=', password],
      headers: [
        { name: 'Content-Type', value: ['application/x-www-form-urlencoded'] },
        { name: 'X-Trace', value: ['lucia-1'] },
      ],
      body: ['clave=', password],
    });
    const record = await sent(main, id, request);
    const { method, target, headers, body } = server.requests.at(-1)!;
    expect({ method, target }).toEqual({
      method: 'PUT',
      target: `/app/api/v1/auth/login?as=${encodeURIComponent(anaQuoted.password)}`,
    });
    expect(headers).toContainEqual(['X-Trace', 'lucia-1']);
    expect(new URLSearchParams(body).get('clave')).toBe(anaQuoted.password);
    const kept = JSON.stringify(record);
    for (const spelling of [anaQuoted.password, encodeURIComponent(anaQuoted.password), body.slice(6)])
      expect(kept).not.toContain(spelling);
  });

  it.each(['GET', 'HEAD', 'DELETE', 'OPTIONS'] as const)('is sent with %s and without a body', async (method) => {
    const { main, server } = await makeLoggedIn();
    const id = idOf(main, '/login');
    await sent(main, id, edited(main, id, { method, body: [] }));
    expect(server.requests.at(-1)).toMatchObject({ method, body: '' });
  });

  it('logs nobody in or out here, whatever it does at the server', async () => {
    const { main } = await makeLoggedIn();
    const id = idOf(main, '/perfil');
    const before = main.sessionStore.all();
    await sent(main, id, edited(main, id, { method: 'POST', path: ['/api/v1/auth/salir'] }));
    expect(main.sessionStore.all()).toEqual(before);
  });

  it('follows the last one at the pace of the settings, and can be cancelled meanwhile', async () => {
    const { main, server } = await makeLoggedIn();
    main.config.change({ settings: { ...main.config.get().settings, callsPerSecond: 0.1 } });
    const id = idOf(main, '/login');
    await sent(main, id, edited(main, id));
    const before = server.requests.length;
    const waiting = main.replay.replay(id, edited(main, id));
    main.replay.cancel();
    expect(await waiting).toEqual({ ok: false, error: { kind: 'cancelled' } });
    expect(server.requests).toHaveLength(before);
  });
});

describe('an edited request is refused, and nothing is sent,', () => {
  const baseUrl = 'https://shop.example.test/app';
  const token = { secret: 'token', id: 't' } as const;
  const original = { method: 'GET', url: [`${baseUrl}/perfil`], headers: [{ name: 'X-Token', value: [token] }] };
  const request: EditedRequest = { method: 'GET', path: ['/perfil'], headers: [] };
  const unsafe = { ok: false, error: { kind: 'not-replayable', problem: 'unsafe-path' } };

  it.each([
    '',
    'evil.example/x',
    '//evil.example/x',
    '/\\evil.example',
    '\\\\evil.example',
    'http://evil.example/',
    '@evil.example/',
    ':80@evil.example/',
    '.evil.example/',
    '/../other',
    '/a/%2e%2e/%2E%2e/other',
    '/a%2f..%2fother',
    '/a b',
    '/a#b',
    '/a\r\nX-Evil: 1',
    '/a\tb',
    '/a\u0000b',
    '/a\u007f',
  ])('where its path is %j', (path) => {
    expect(applyEdits(original, { ...request, path: [path] }, baseUrl)).toEqual(unsafe);
  });

  it.each([
    ['/perfil?q=a b', '/perfil?q=a%20b'],
    ['/perfil?q=mañana&w=é', '/perfil?q=ma%C3%B1ana&w=%C3%A9'],
    ['/perfil?q=a%20b+c%C3%A9%zz', '/perfil?q=a%20b+c%C3%A9%zz'],
    ['/perfil?q=\'<b>"|{x}', '/perfil?q=\'<b>"|{x}'],
    ['/perfil?q=🔑', '/perfil?q=%F0%9F%94%91'],
    ['/perfil?a b?c d', '/perfil?a%20b?c%20d'],
  ])('but not for a blank or a letter in its query, which is written out: %j', (path, sent) => {
    const written = applyEdits(original, { ...request, path: [path] }, baseUrl);
    expect(written).toMatchObject({ ok: true, value: { url: [`${baseUrl}${sent}`] } });
  });

  it('but not for a blank on either side of a secret in its query', () => {
    const edited = applyEdits(original, { ...request, path: ['/perfil?a b=', token, ' é'] }, baseUrl);
    expect(edited).toMatchObject({ ok: true, value: { url: [`${baseUrl}/perfil?a%20b=`, token, '%20%C3%A9'] } });
  });

  it('where its path begins with a secret, whose value would be a part of the host', () => {
    expect(applyEdits(original, { ...request, path: [token, '/x'] }, baseUrl)).toEqual(unsafe);
  });

  it.each([
    ['Host', 'evil.example', 'name-taken'],
    ['content-length', '3', 'name-taken'],
    ['Transfer-Encoding', 'chunked', 'name-taken'],
    ['Connection', 'upgrade', 'name-taken'],
    ['Upgrade', 'h2c', 'name-taken'],
    ['Proxy-Authorization', 'Basic eA==', 'name-taken'],
    ['', 'x', 'name-missing'],
    ['X Evil', 'x', 'name-characters'],
    ['X-Evil:', 'x', 'name-characters'],
    ['X\r\nEvil', 'x', 'name-characters'],
    ['X-Evil', 'x\r\nHost: evil.example', 'value-characters'],
    ['X-Evil', 'x\u0000', 'value-characters'],
    ['X-Evil', '\u20ac', 'value-characters'],
    ['x'.repeat(101), 'x', 'name-long'],
  ])('where it has the header %j: %j', (name, value, problem) => {
    const headers = [
      { name: 'Accept', value: ['*/*'] },
      { name, value: [value] },
    ];
    expect(applyEdits(original, { ...request, headers }, baseUrl)).toEqual({
      ok: false,
      error: { kind: 'invalid-header', row: 1, problem, name: name.slice(0, 100) },
    });
  });

  it('whether it is to be sent or copied', async () => {
    const { main, server } = await makeLoggedIn();
    const before = server.requests.length;
    const id = idOf(main, '/login');
    const outside = edited(main, id, { path: ['//evil.example/x'] });
    expect(await main.replay.replay(id, outside)).toEqual(unsafe);
    expect(main.replay.edited(id, outside)).toEqual(unsafe);
    expect(server.requests).toHaveLength(before);
  });

  it('where it names a secret that the recorded one does not have, such as the token of another server', async () => {
    const shop = await startServer();
    const other = await startServer();
    const main = await makeMain({ shop, other });
    await main.session.logins.login(anaQuoted);
    const id = idOf(main, '/login');
    await main.servers.choose({ id: 'other' });
    await main.session.logins.login(bea);
    const [shops, others] = main.sessionStore.all();
    const before = [shop, other].map(({ requests }) => requests.length);
    for (const token of [shops!, others!]) {
      const body: RedactedText = [{ secret: 'token', id: token.id }];
      expect(await main.replay.replay(id, edited(main, id, { body }))).toMatchObject({
        error: { kind: 'not-replayable', problem: 'not-applicable' },
      });
    }
    expect([shop, other].map(({ requests }) => requests.length)).toEqual(before);
  });

  it('on a production server until its host was typed, even where it only reads', async () => {
    const { main, server } = await makeLoggedIn();
    const entry = main.state.get().servers.find((each) => each.id === 'shop')!;
    await main.servers.edit({ ...entry, address: server.baseUrl, production: true });
    const id = idOf(main, '/perfil');
    expect(await main.replay.replay(id, undefined)).toMatchObject({ ok: true });
    expect(await main.replay.replay(id, edited(main, id))).toMatchObject({
      error: { kind: 'production-not-confirmed' },
    });
  });

  it('while it would fill in a short secret elsewhere, where no record is searched for that', async () => {
    const server = await startServer();
    const main = await makeMain({ shop: server });
    await main.session.logins.login({ email: anaQuoted.email, password: 'abc' });
    const id = idOf(main, '/login');
    const password = passwordIn(editableOf(main, id));
    const before = server.requests.length;
    const moved = edited(main, id, { body: ['name=', password] });
    expect(await main.replay.replay(id, moved)).toEqual({
      ok: true,
      value: { outcome: 'secrets-missing', missing: [password] },
    });
    expect(server.requests).toHaveLength(before);
  });

  it('and a secret that the server sends back from its new place is in no record and no file', async () => {
    const { main } = await makeLoggedIn();
    const id = idOf(main, '/perfil');
    const { headers } = editableOf(main, id);
    const value = headers.find(({ name }) => name === 'Authorization')!.value;
    const moved = await sent(main, id, edited(main, id, { headers: [{ name: 'X-Moved', value }], body: value }));
    main.calls.close();
    const [token] = main.sessionStore.all();
    const secret = (await main.session.tokenOf(token!.id))!;
    expect(secret).toMatch(/^1\|/);
    expect(JSON.stringify(moved)).not.toContain(secret);
    expect(await filesContaining(main.folder, secret)).toEqual([]);
  });
});
