import type { Locator } from 'playwright-core';
import { seen } from './screens.ts';
import { page, stub } from './stub-main/opened-stub.ts';
import type { StubApp } from './stub-main/stub-app.ts';

export const region = (): Locator => page.getByRole('region', { name: 'Built-in server', exact: true });
export const tab = (name: string): Locator => region().getByRole('tab', { name, exact: true });
export const button = (name: string | RegExp): Locator =>
  region().getByRole('button', { name, exact: typeof name === 'string' });
export const rows = (): Locator => region().getByRole('row');
export const question = (): Locator => page.getByRole('dialog');
export const answerButton = (name: string): Locator => question().getByRole('button', { name, exact: true });

export const says = (text: string | RegExp): Promise<Locator> => seen(region().getByText(text).first());

/** Waits for the toast that says what an action did. */
export const toasts = (text: string): Promise<Locator> => seen(page.getByRole('status').filter({ hasText: text }));

/** Opens the page at one of its tabs. */
export async function openAt(name: string, state: Parameters<StubApp['start']>[0] = {}): Promise<void> {
  await stub.start(state);
  await page.keyboard.press('Control+b');
  await tab(name).click();
  await seen(region().getByRole('tabpanel', { name, exact: true }));
}
