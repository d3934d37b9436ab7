import type { Locator, Page } from 'playwright-core';
import { hasFocus } from './screens.ts';
import { someCalls, type StubCall } from './stub-main/calls.ts';
import { firstStart, production, staging } from './stub-main/states.ts';
import type { StubApp } from './stub-main/stub-app.ts';

/** Three servers, of which one is production. */
export const withSeveralServers = { servers: [...firstStart.servers, staging, production] };

/** Finds things in the page of calls, on the page of the stub as it is when a test asks. */
export function callsPage(stubOf: () => StubApp) {
  const page = (): Page => stubOf().page;
  const region = () => page().getByRole('region', { name: 'Requests', exact: true });
  const list = () => page().getByRole('listbox', { name: 'Requests', exact: true });
  const options = () => list().getByRole('option');
  const option = (text: string) => options().filter({ hasText: text });
  const call = (number: number) => list().getByRole('option', { name: `/call/${number},` });
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const search = () => page().getByRole('textbox', { name: 'Search requests', exact: true });
  const details = () => page().getByRole('article');
  const count = () => region().getByRole('status').first();
  const heading = () => page().getByRole('heading', { level: 1 });

  const activeOption = async () => {
    const id = await list().getAttribute('aria-activedescendant');
    return page().locator(`[id="${id}"]`).innerText();
  };

  /** Shows one part of the call that is looked at, and returns it. */
  async function part(name: 'Summary' | 'Response' | 'Request' | 'Timing'): Promise<Locator> {
    await details().getByRole('tab', { name, exact: true }).click();
    return details().getByRole('tabpanel', { name, exact: true });
  }

  /** Chooses what is done with all calls. */
  async function chooseInMenu(name: string) {
    await button('Export, clear').click();
    await page().getByRole('menuitem', { name, exact: true }).click();
  }

  async function openWith(calls: readonly StubCall[] = someCalls) {
    await stubOf().start(withSeveralServers, calls);
    await page().keyboard.press('Control+e');
    // Until then, the heading would take the focus from what a test gives it to.
    await hasFocus(heading());
  }

  return {
    region,
    list,
    options,
    option,
    call,
    button,
    search,
    details,
    count,
    heading,
    activeOption,
    part,
    chooseInMenu,
    openWith,
  };
}
