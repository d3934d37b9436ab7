import { expect, it } from 'vitest';
import en from '../../../preload/contract/locales/window/en.json' with { type: 'json' };
import es from '../../../preload/contract/locales/window/es.json' with { type: 'json' };
import { openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';
import { scenes } from '../../support/stub-main/scenes.ts';
import { changeLook, showScene } from '../../support/stub-main/show-scene.ts';

openForAll(true);

const english = { language: 'en', theme: 'light' } as const;
const spanish = { language: 'es', theme: 'light' } as const;

/** What was heard of a check that runs is not said again, and what stands in a text that is edited is that text. */
const keptSentences = new Set(['checks-running', 'a request that is edited']);

it.each(
  scenes
    .filter(({ name, isScreen }) => isScreen && !keptSentences.has(name))
    .map((scene) => [scene.name, scene] as const),
)('changing the language writes the whole page again: %s', async (_name, scene) => {
  await showScene(stub, scene, english);
  await changeLook(stub, scene, spanish);
  const changed = await page.locator('body').innerText();
  await showScene(stub, scene, spanish);
  // What a worker or a timer brings may come a little later.
  await expect.poll(() => page.locator('body').innerText()).toBe(changed);
});

it('changing the language writes again what came of a press: a cleaned email, and a copied request', async () => {
  const spoken = () => page.locator('body').innerText();
  await stub.start();
  await page.locator('input[name=email]').fill('<ana@example.test>, ');
  await page.locator('input[name=password]').fill('secret');
  await stub.fails('session.login', { kind: 'unauthenticated' });
  await page.locator('main button[type=submit]').click();
  await expect.poll(spoken).toContain(en.field.emailCleaned);
  await stub.change({ language: 'es' });
  await expect.poll(spoken).toContain(es.field.emailCleaned);

  await showScene(
    stub,
    scenes.find(({ name }) => name === 'calls-one')!,
    english,
  );
  await stub.answer('calls.copy', { ok: true, value: { copied: true, missing: 0 } });
  await page.getByRole('button', { name: 'Copy as' }).click();
  await page.getByRole('menuitem').first().click();
  await expect.poll(spoken).toContain(en.calls.copied);
  await stub.change({ language: 'es' });
  await expect.poll(spoken).toContain(es.calls.copied);
});
