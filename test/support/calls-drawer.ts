import type { Page } from 'playwright-core';
import { someCalls, type StubCall } from './stub-main/calls.ts';
import { firstStart, production, staging } from './stub-main/states.ts';
import type { StubApp } from './stub-main/stub-app.ts';

/** Three servers, of which one is production. */
export const several = { servers: [...firstStart.servers, staging, production] };

/** Finds things in the drawer of calls, on the page of the stub as it is when a test asks. */
export function callsDrawer(stubOf: () => StubApp) {
  const page = (): Page => stubOf().page;
  const drawer = () => page().getByRole('region', { name: 'Calls', exact: true });
  const list = () => page().getByRole('listbox', { name: 'Calls', exact: true });
  const options = () => list().getByRole('option');
  const option = (text: string) => options().filter({ hasText: text });
  const call = (number: number) => list().getByRole('option', { name: `/call/${number},` });
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const search = () => page().getByRole('textbox', { name: 'Search calls', exact: true });
  const details = () => page().getByRole('article');
  const count = () => drawer().getByRole('status').first();

  const activeOption = async () => {
    const id = await list().getAttribute('aria-activedescendant');
    return page().locator(`[id="${id}"]`).innerText();
  };

  async function openWith(calls: readonly StubCall[] = someCalls) {
    await stubOf().start(several, calls);
    await page().keyboard.press('Control+e');
    await drawer().waitFor();
  }

  return { drawer, list, options, option, call, button, search, details, count, activeOption, openWith };
}
