import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startDouble, startOriginal, whyNotOriginal } from '../../prove/doubles.ts';
import { journeyOf } from '../../servers/journey.ts';
import { serversAskedFor } from '../../servers/servers-asked-for.ts';
import { haste, learnFrom } from '../../service/support/doubles.ts';
import { launchForAll } from '../../support/launch-app.ts';
import { seen } from '../../support/screens.ts';
import { treeOf } from '../../support/stub-main/accessibility-trees.ts';

/** Goes the way of a person, and returns each screen as assistive technology gets it, without what is the server's alone. */
async function screensOf(page: Page, origin: string, registersAt: 'registro' | 'register') {
  const screens: Record<string, string> = {};
  const lines = await journeyOf(page, origin, { registersAt }, async (stop, address) => {
    const isRegistration = await page.getByRole('button', { name: 'Create account' }).isVisible();
    // What a password is worth is told a moment after it was typed.
    if (isRegistration) await seen(page.getByText(/^Password strength/));
    screens[stop] = (await treeOf(page, false))
      .replaceAll(new URL(address).host, '(server)')
      .replaceAll(/\bin \d+ seconds\b/g, 'in (seconds)');
  });
  return { lines, screens };
}

// In the other tests beside this one, a person goes to the servers themselves.
describe('a person at a double', () => {
  const running = launchForAll();

  it.for(serversAskedFor)('sees what they see at its original: %s', { timeout: 300_000 }, async (name, { skip }) => {
    const reason = whyNotOriginal(name);
    skip(reason !== undefined, reason);
    const { model } = await learnFrom(name);
    const registersAt = model.rules.servesRegistro.value ? 'registro' : 'register';

    // Nobody has registered yet at this one, as at the double.
    const original = await startOriginal(name, haste);
    const atOriginal = await screensOf(running().page, original.baseUrl, registersAt);
    await original.close();
    const double = await startDouble(model, haste);
    const atDouble = await screensOf(running().page, double.baseUrl, registersAt);
    await double.close();
    expect(Object.keys(atDouble.screens)).toHaveLength(7);
    expect(atDouble).toEqual(atOriginal);
  });
});
