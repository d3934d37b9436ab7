import { describe, expect, it } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeMain } from '../../support/make-main.ts';

const ana = { email: 'ana@example.test', password: 'correct horse battery' };

type Foreign = Awaited<ReturnType<typeof startForeignServer>>;
type Override = NonNullable<Parameters<typeof startForeignServer>[0]>['override'];

const paths = ({ calls }: Foreign): string[] => calls.map(({ path: called }) => called.slice(called.lastIndexOf('/')));

describe('a token', () => {
  it.each([
    ['a line break', '7|abcdefgh\n ijklmnopqrst uvwxyz0123456789ABCD'],
    ['a letter beyond Latin-1', '7|abcdefghijklmnopqrstuvwxyz0123456789АБВГ'],
  ])('with %s is refused at the login, and nothing of it is sent or kept', async (_what, token) => {
    const override: Override = ({ path: called }) =>
      called.endsWith('/login') ? { status: 200, body: { token, user: { name: 'Ana' } } } : undefined;
    const foreign = await startForeignServer({ override });
    const { session, state, vault } = await makeMain({ foreign });
    expect(await session.logins.login(ana)).toEqual({
      ok: false,
      error: { kind: 'unexpected', reason: 'token-unsendable' },
    });
    expect(paths(foreign)).toEqual(['/login']);
    expect(state.get().session.step).toBe('signed-out');
    expect(await vault.findCredentials('app.llavero.desktop/foreign')).toEqual([]);
  });

  it('in Base64 of several lines is one line', async () => {
    const override: Override = ({ path: called }) =>
      called.endsWith('/login')
        ? {
            status: 200,
            body: { token: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ\r\nq83vEjRWeJCrze8SNFZ4kA==', user: { name: 'Ana' } },
          }
        : called.endsWith('/perfil')
          ? { status: 200, body: { id: 1, name: 'Ana', email: ana.email } }
          : undefined;
    const foreign = await startForeignServer({ override });
    const { session } = await makeMain({ foreign });
    expect(await session.logins.login(ana)).toMatchObject({ ok: true });
    expect(foreign.calls.at(-1)?.headers.authorization).toBe(
      'Bearer q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJCrze8SNFZ4kA==',
    );
  });
});
