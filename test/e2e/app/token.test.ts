import { expect, it } from 'vitest';
import { openAtServer } from '../../support/open-at-server.ts';
import {
  ana,
  answerQuestions,
  createAccount,
  expectProfile,
  logOut,
  questionsOf,
  seen,
} from '../../support/screens.ts';

it('a token is copied after the system has asked, leaves the clipboard at a lock, and begins a session when it is pasted', async () => {
  const { page, app, foreign } = await openAtServer();
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const clipboard = () => app.evaluate(({ clipboard }) => clipboard.readText());
  await createAccount(page, ana);
  await expectProfile(page, ana);
  const token = [...foreign.issued].at(-1)!;
  if ((await button('Copy token…').count()) === 0) await page.keyboard.press('ControlOrMeta+j');
  await answerQuestions(app, true);
  await button('Copy as header…').click();
  await seen(page.getByText('Token in the clipboard for 30 seconds.'));
  expect(await clipboard()).toBe(`Authorization: Bearer ${token}`);
  expect((await questionsOf(app)).map(({ message }) => message)).toEqual([`Copy the token of ${ana.email}?`]);
  expect(await page.content()).not.toContain(token);
  await page.keyboard.press('ControlOrMeta+l');
  await expect.poll(clipboard).toBe('');
  await button('Unlock').click();

  await button('Use another token…').click();
  const field = page.getByRole('dialog').getByLabel('Token', { exact: true });
  await field.fill(`Bearer ${token}\n`);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expectProfile(page, ana);
  expect(await page.content()).not.toContain(token);
  await logOut(page);
});
