import { expect, it, onTestFinished } from 'vitest';
import { launchForAll } from '../../support/launch-app.ts';
import { answer, startRecordingServer } from '../../support/recording-server.ts';
import { alertText, ana, expectText, heading, logIn, seen, useServer } from '../../support/screens.ts';

const running = launchForAll();

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const [issuedAt, endsAt] = [1_750_000_000, 4_000_000_000];
const token = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: '7', iat: issuedAt, exp: endsAt })}.c2lnLWZha2U`;

/** Answers by the email that logs in, as the servers of issue 14 did. */
function respond({ target, body }: { target: string; body: string }): string {
  if (body.includes('throttled@')) {
    const message = 'Too many login attempts. Please try again in 2 seconds.';
    return answer(429, { message }, { 'Retry-After': '2' });
  }
  if (body.includes('empty@')) return answer(200, '');
  if (body.includes('wrong@')) return answer(401, { message: 'These credentials do not match our records.' });
  if (target.endsWith('/login')) return answer(200, { token });
  return answer(200, { id: 7, name: ana.name, email: ana.email, iat: issuedAt, exp: endsAt });
}

const as = (email: string) => ({ email, password: ana.password });

// Point 5 of issue 14, each seen once at a server that was not ours.
it('the small things that twelve servers showed are right in the real window', async () => {
  const { page } = running();
  const server = await startRecordingServer(respond);
  onTestFinished(server.close);
  const main = page.getByRole('main');
  await useServer(page, server.origin);

  await logIn(page, as('throttled@example.test'));
  expect(await alertText(page)).toContain('Too many login attempts.');
  expect(await alertText(page)).not.toMatch(/\d|seconds?/);
  await expectText(page.getByRole('timer'), 'You can try again now');
  expect(await main.innerText()).not.toMatch(/\d+ seconds?/);

  await logIn(page, as('empty@example.test'));
  await expectText(page.getByRole('alert'), /empty/);

  for (const size of [
    { width: 1000, height: 700 },
    { width: 480, height: 400 },
  ]) {
    await page.setViewportSize(size);
    await logIn(page, as('empty@example.test'));
    await expectText(page.getByRole('alert'), /empty/);
    await logIn(page, as('wrong@example.test'));
    await expectText(page.getByRole('alert'), 'do not match');
    const room = await page.getByRole('alert').evaluate((text) => {
      const box = text.parentElement!.parentElement!.getBoundingClientRect();
      const around = text.closest('main')!.getBoundingClientRect();
      return { above: box.top - around.top, below: Math.min(around.bottom, window.innerHeight) - box.bottom };
    });
    expect(Math.min(room.above, room.below)).toBeGreaterThanOrEqual(0);
  }
  // No keyring is here, so nobody can be remembered.
  expect(await page.getByRole('checkbox', { name: 'Remember me on this computer' }).isChecked()).toBe(false);
  await seen(page.getByText('it is kept in memory until you quit Llavero', { exact: false }));

  await logIn(page, as(ana.email));
  await seen(heading(page, 'Profile'));
  expect(await main.innerText()).not.toMatch(new RegExp(`${issuedAt}|${endsAt}`));
  expect(await main.innerText()).toMatch(/Issued\s*iat\s+Jun 15, 2025/);

  await server.close();
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await seen(heading(page, 'Log in'));
  const host = new URL(server.origin).host;
  expect((await alertText(page)).split(host)).toHaveLength(2);
});
