import type { Page } from 'playwright-core';

/**
 * Runs every page six times slower with `LLAVERO_TEST_SLOW=6`. Whatever a test takes for granted before it is on the
 * screen then comes to light on any machine, and not only on a loaded one.
 */
export async function slowDown(page: Page): Promise<void> {
  const rate = Number(process.env['LLAVERO_TEST_SLOW'] ?? 1);
  if (!(rate > 1)) return;
  page.setDefaultTimeout(30_000 * rate);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}
