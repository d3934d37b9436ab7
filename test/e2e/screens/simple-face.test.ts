import { describe, expect, it } from 'vitest';
import type { AppState, Language } from '../../../preload/contract/models.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { seen } from '../../support/screens.ts';
import { openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';
import { ana, demoSession, firstStart, heldSessions, signedIn, understood } from '../../support/stub-main/states.ts';

openForAll();

/** Words of those who build and test servers. An owner of an account needs none of them. */
const technical: Record<Language, RegExp> = {
  en: /\b(?:endpoints?|tokens?|dialects?|contracts?|base urls?|status(?:es| codes?)?|headers?|json|https?|api|payloads?|requests?|bearer|oauth|localhost|[45]\d\d)\b|\/(?:registro|register|login|perfil|salir)\b|\b[a-z]+_[a-z]+\b/gi,
  es: /\b(?:endpoints?|tokens?|dialectos?|contratos?|url base|estados?|cabeceras?|json|https?|api|petici(?:ón|ones)|bearer|oauth|localhost|[45]\d\d)\b|\/(?:registro|register|login|perfil|salir)\b|\b[a-z]+_[a-z]+\b/gi,
};

/** All that a person sees or hears: texts, names and tooltips. Server's own words and the one line stay out. */
const wordsOnScreen = () =>
  page.evaluate(() => {
    const copy = document.importNode(document.body, true);
    for (const element of copy.querySelectorAll('script, style, p:has(> span > code), footer')) element.remove();
    const named = [...copy.querySelectorAll('[aria-label], [title], [placeholder]')].flatMap((element) =>
      ['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
    );
    return [copy.textContent, ...named].join('\n');
  });

async function expectPlainWords(language: Language): Promise<void> {
  expect((await wordsOnScreen()).match(technical[language]) ?? []).toEqual([]);
}

describe.each(['en', 'es'] as const)('on an owner’s way in %s', (language) => {
  const start = (state: Partial<AppState> = {}) =>
    stub.start({ ...state, language, settings: { ...firstStart.settings, workbench: false, language } });
  const submit = () => page.locator('main button[type=submit]');

  it('the first two doors have no technical word', async () => {
    await stub.start({ language, settings: { ...firstStart.settings, workbench: false, welcomed: false, language } });
    for (const door of [0, 1]) {
      expect((await page.locator('main section').nth(door).innerText()).match(technical[language]) ?? []).toEqual([]);
    }
  });

  it('the forms have none', async () => {
    await start({ sessions: heldSessions });
    await expectPlainWords(language);
    await submit().click();
    await expectPlainWords(language);
    await page.locator('main a').first().click();
    await submit().click();
    await expectPlainWords(language);
  });

  it.each<[string, AppError]>([
    ['a wrong password', { kind: 'unauthenticated' }],
    ['a missing network', { kind: 'offline' }],
    ['a server that does not answer', { kind: 'refused', host: 'accounts.example.test', addresses: ['192.0.2.1:443'] }],
    ['too many tries', { kind: 'throttled', retryAfterSeconds: 40 }],
    ['a server that takes too long', { kind: 'timeout', phase: 'total', seconds: 30 }],
    ['a path that is not served', { kind: 'unexpected', reason: 'operation-missing', status: 404 }],
  ])('%s is said without one', async (_what, error) => {
    await start();
    await page.locator('main a').first().click();
    for (const name of ['name', 'email', 'password']) await page.locator(`input[name=${name}]`).fill('a b c');
    await stub.fails('session.register', error);
    await submit().click();
    await seen(page.getByRole('alert'));
    await expectPlainWords(language);
  });

  it('the account has none, whatever the server called its fields', async () => {
    await start({ sessions: heldSessions, session: { ...signedIn, understood } });
    await expectPlainWords(language);
    await start({
      sessions: [demoSession],
      session: { ...signedIn, user: ana, check: { state: 'unchecked', error: { kind: 'offline' } } },
    });
    await expectPlainWords(language);
  });
});
