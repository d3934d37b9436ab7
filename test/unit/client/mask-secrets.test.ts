import { describe, expect, it, onTestFinished } from 'vitest';
import { ProfileLimits } from '../../../preload/contract/models.ts';
import { type ClientResult, createClient } from '../../../main/client/client.ts';
import { createTransport } from '../../../main/client/transport.ts';
import { answer, startRecordingServer } from '../../support/recording-server.ts';

const token = '41|abcdef0123456789abcdef0123456789';
const password = 'correct horse battery';

async function clientOf(status: number, body: unknown, headers: Record<string, string> = {}) {
  const server = await startRecordingServer(() =>
    answer(status, typeof body === 'string' ? body : JSON.stringify(body), headers),
  );
  const transport = createTransport();
  onTestFinished(async () => {
    transport.close();
    await server.close();
  });
  return createClient({ transport, baseUrl: server.origin });
}

const hidden = (name: string, place: unknown) => ({
  name,
  place: typeof place === 'string' ? place : `/${name}`,
  value: { is: 'secret' },
});

/** What is told of an answer. What the session is kept by is for the vault. */
const told = ({ credential: _credential, ...result }: ClientResult) => result;

describe('a server that echoes secrets', () => {
  it('does not get the token into the profile, whatever field it stands in', async () => {
    const user = {
      id: 1,
      name: 'Ana',
      email: 'ana@example.test',
      auth: token,
      note: `Bearer ${token}`,
      opaque: token.slice(3),
      link: `?t=${encodeURIComponent(token)}`,
      city: 'Quito',
    };
    const result = await (await clientOf(200, user)).profile({ token });
    expect(result.ok).toBe(true);
    expect(JSON.stringify(told(result))).not.toContain('abcdef0123456789');
    expect(result.reading?.rest).toEqual(
      expect.arrayContaining([
        ...['auth', 'note', 'opaque', 'link'].map(hidden),
        { name: 'city', place: '/city', value: { is: 'text', text: 'Quito' } },
      ]),
    );
  });

  it('does not get a part of the token into a text that is cut', async () => {
    for (const before of [1, 10, 30]) {
      const bio = `${'x '.repeat(ProfileLimits.charactersOfText / 2).slice(before)}${token}${' y'.repeat(100)}`;
      const result = await (await clientOf(200, { id: 1, name: 'Ana', bio })).profile({ token });
      expect(result.reading?.rest).toEqual([hidden('bio', '/bio')]);
      expect(result.reading?.sent).toMatchObject({ text: '{"id":1,"name":"Ana","bio":null}', leftOut: ['bio'] });
    }
  });

  it('does not get it into the name of a field', async () => {
    const result = await (await clientOf(200, { id: 1, name: 'Ana', [token]: { [token]: 'x' } })).profile({ token });
    const fields = [{ name: '•••', value: { is: 'text', text: 'x' } }];
    expect(result.reading?.rest).toEqual([{ name: '•••', place: '/•••', value: { is: 'fields', fields } }]);
    expect(result.reading?.sent?.text).toBe('{"id":1,"name":"Ana","•••":{"•••":"x"}}');
  });

  it.each([500, 401, 403, 404])('does not get the token into an error: %i', async (status) => {
    const result = await (await clientOf(status, { message: `token ${token} unknown` })).profile({ token });
    expect(result).toMatchObject({ ok: false });
    expect(JSON.stringify(told(result))).not.toContain('abcdef0123456789');
  });

  it('keeps the token of a login for the vault, and hides its other copies', async () => {
    const result = await (
      await clientOf(200, { token, user: { name: 'Ana', again: token }, message: `your token is ${token}` })
    ).login({ email: 'a@b.c', password });
    expect(result).toMatchObject({
      ok: true,
      reading: { summary: { token, message: 'your token is •••', user: { name: 'Ana' } } },
    });
    expect(JSON.stringify({ ...result.reading, summary: { ...result.reading?.summary, token: '' } })).not.toContain(
      'abcdef0123456789',
    );
  });

  it('does not get the typed password into the errors of a form', async () => {
    const client = await clientOf(422, {
      message: `"${password}" is weak`,
      errors: { password: [`${password} is too common`], name: ['fine'] },
    });
    const result = await client.register({
      path: 'register',
      name: 'Ana',
      email: 'a@b.c',
      password,
      cpassword: password,
    });
    expect(result).toMatchObject({
      ok: false,
      error: { kind: 'validation', fields: { password: ['••• is too common'], name: ['fine'] } },
    });
    expect(JSON.stringify(result)).not.toContain(password);
  });

  it('hides a short password only where it is the whole value', async () => {
    const result = await (
      await clientOf(200, { token, user: { name: 'a banana', code: 'an' } })
    ).login({ email: 'a@b.c', password: 'an' });
    expect(result.reading?.summary.user?.name).toBe('a banana');
    expect(result.reading?.rest).toContainEqual(hidden('code', '/user/code'));
  });

  it('does not show the query of a redirect, which may hold a token', async () => {
    const result = await (
      await clientOf(302, '', { Location: 'http://evil.test/login?token=abc#d' })
    ).login({ email: 'a@b.c', password });
    expect(result).toMatchObject({
      ok: false,
      error: { kind: 'not-an-api-answer', reason: 'redirect', detail: 'http://evil.test/login' },
    });
  });
});
