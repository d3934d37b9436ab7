import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyError } from '../../support/stub-main/every-error.ts';
import { firstStart } from '../../support/stub-main/states.ts';
import { openStubApp, type StubApp } from '../../support/stub-main/stub-app.ts';

let stub: StubApp;
let page: Page;

beforeAll(async () => {
  stub = await openStubApp();
  page = stub.page;
});
afterAll(() => stub.close());

const words = {
  en: { email: 'Email', password: 'Password', submit: 'Log in' },
  es: { email: 'Correo electrónico', password: 'Contraseña', submit: 'Iniciar sesión' },
} as const;

describe.each(['en', 'es'] as const)('every error, in %s', (language) => {
  it.each(everyError.map((error) => [JSON.stringify(error), error] as const))(
    'is said in words: %s',
    async (_n, error) => {
      const { email, password, submit } = words[language];
      await stub.start({ language, settings: { ...firstStart.settings, language, theme: 'light' } });
      await page.getByLabel(email, { exact: true }).fill('ana@example.test');
      await page.getByLabel(password, { exact: true }).fill('secret');
      await stub.fails('session.login', error);
      await page.getByRole('button', { name: submit, exact: true }).click();

      const message = page.locator('main [role=alert], main [role=status][tabindex]');
      await message.waitFor();
      const text = await message.innerText();
      expect(text.split('\n').filter((line) => line.trim() !== '').length).toBeGreaterThanOrEqual(2);
      expect(text).not.toMatch(/error\.|\{\{|undefined|\[object/);
      expect(text).toContain('message' in error && error.message ? error.message : '');
    },
  );
});
