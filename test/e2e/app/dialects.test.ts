import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../../main/client/read-answer.ts';
import { shapes, startDialectServer, type Shape } from '../../support/dialect-server.ts';
import { launchForAll } from '../../support/launch-app.ts';
import { alertText, ana, heading, logIn, logOut, seen, useServer } from '../../support/screens.ts';

const families = [...new Set(shapes.map(({ framework }) => framework))];
const isThrottle = ({ status, meaning }: Shape): boolean => status === 429 || meaning.retryAfterSeconds !== undefined;

/** Returns the shapes of a family. The most common ones stand in for a kind that it lacks. */
function shapesOf(framework: string, operation: Shape['operation'], isOk: boolean): Shape[] {
  const all = shapes.filter(
    (shape) => shape.operation === operation && shape.meaning.ok === isOk && !isThrottle(shape),
  );
  const own = all.filter((shape) => shape.framework === framework);
  return own.length > 0 ? own : all.filter((shape) => shape.framework === 'laravel').slice(0, 1);
}

describe('a person at a server of each family', () => {
  const running = launchForAll();

  it.each(families)(
    '%s: is refused in words, logs in, sees the profile, meets a doubtful answer, logs out',
    async (family) => {
      const server = await startDialectServer();
      const { page } = running();
      await useServer(page, server.baseUrl);

      for (const refusal of shapesOf(family, 'login', false)) {
        server.next(refusal);
        await logIn(page, ana);
        await expect.poll(() => server.asked.length).toBeGreaterThan(0);
        // A sentence about one field stands under it, and all others in an alert.
        const refused = page
          .getByRole('main')
          .locator('[role=alert], [id$="-error"]')
          .filter({ hasText: /\w/ })
          .first();
        expect(await (await seen(refused)).innerText()).toMatch(/\w{3}.* \w/);
        expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(ana.password);
        server.asked.length = 0;
      }

      const [login] = shapesOf(family, 'login', true);
      const [profile] = shapesOf(family, 'perfil', true);
      server.next(login!);
      server.next(profile!);
      await logIn(page, ana);
      await seen(heading(page, 'Profile'));
      // What the login says of the person is shown before the server has answered with the profile.
      const again = await seen(page.getByRole('button', { name: 'Check again', exact: true }));
      const { name, email } = profile!.meaning.user ?? {};
      const main = page.getByRole('main');
      expect(await main.innerText()).toContain(name ?? email);

      const [doubtful] = shapesOf(family, 'perfil', false);
      server.next(doubtful!);
      await again.click();
      const { verdict } = readAnswer('perfil', { ...doubtful!, url: 'https://api.example.test/api/v1/auth/perfil' });
      if (verdict === 'ended') {
        await seen(heading(page, 'Log in'));
        await seen(page.getByText(/session.*ended/i));
      } else {
        await seen(page.getByText(/could not be checked/i));
        server.next(shapesOf(family, 'salir', true)[0]!);
        await logOut(page);
        await seen(page.getByText('You are logged out.'));
      }
    },
  );
});

describe('a server that asks to wait', () => {
  const throttles = shapes.filter(
    (shape) => shape.operation === 'login' && shape.meaning.retryAfterSeconds !== undefined,
  );

  const running = launchForAll();

  it.each(throttles)('$id: the wait is shown as the server gave it, and the button is held', async (shape) => {
    const server = await startDialectServer();
    const { page } = running();
    await useServer(page, server.baseUrl);
    server.next(shape);
    await logIn(page, ana);
    expect(await alertText(page)).toMatch(/wait|later|again/i);
    const button = page.getByRole('button', { name: /Log in/ });
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await button.press('Enter');
    expect(server.asked).toEqual(['login']);
  });
});
