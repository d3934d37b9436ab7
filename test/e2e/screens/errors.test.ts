import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../preload/contract/result.ts';
import { startI18n } from '../../../renderer/i18n.ts';
import { sayError } from '../../../renderer/say-error.ts';
import { expectText } from '../../support/screens.ts';
import { everyError } from '../../support/stub-main/every-error.ts';
import { firstStart } from '../../support/stub-main/states.ts';
import { openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';

openForAll();

const english = await startI18n('en');
const spanish = await startI18n('es');

// `unit/renderer/say-error.test.ts` proves without a window what each error of a kind says.
const oneOfEachKind = [...new Map(everyError.map((error) => [error.kind, error])).values()];
const settings = { ...firstStart.settings, language: 'en', theme: 'light' } as const;

/** Returns all that has to be on the screen, in one language. */
function textsOf(error: AppError, language: 'en' | 'es'): string[] {
  const { t } = language === 'en' ? english : spanish;
  const { says, advice, serverSays, detail } = sayError(error, 'login', t, language);
  return [says, advice, serverSays, detail].filter((text): text is string => text !== undefined);
}

describe('a login that fails', () => {
  it.each(oneOfEachKind.map((error) => [error.kind, error] as const))(
    'with %s says so in an alert, in the language of the window',
    async (_kind, error) => {
      await stub.start({ language: 'en', settings });
      await page.getByLabel('Email', { exact: true }).fill('ana@example.test');
      await page.getByLabel('Password', { exact: true }).fill('secret');
      await stub.fails('session.login', error);
      await page.getByRole('button', { name: 'Log in', exact: true }).click();

      const message = page.locator('main [role=alert], main [role=status][tabindex]');
      await message.waitFor();
      const english = await message.innerText();
      for (const text of textsOf(error, 'en')) expect(english).toContain(text);
      expect(english).not.toMatch(/error\.|\{\{|undefined|\[object/);

      await stub.change({ language: 'es', settings: { ...settings, language: 'es' } });
      const [says, ...others] = textsOf(error, 'es');
      await expectText(message, says!);
      const spanish = await message.innerText();
      for (const text of others) expect(spanish).toContain(text);
      expect(spanish).not.toMatch(/error\.|\{\{|undefined|\[object/);
    },
  );
});
