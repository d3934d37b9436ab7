import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { openStubApp, type StubApp } from './stub-app.ts';

/** The stub application of the test file that called {@link openForAll}; vitest loads this module anew for each file. */
export let stub: StubApp;
/** Its page. */
export let page: Page;

/**
 * Opens one stub application for all tests of a file.
 * @param prepare what is done with its page before the first test
 */
export function openForAll(prepare?: (opened: Page) => Promise<void>): void {
  beforeAll(async () => {
    stub = await openStubApp();
    page = stub.page;
    await prepare?.(page);
  });
  afterAll(() => stub.close());
}
