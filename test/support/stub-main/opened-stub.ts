import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect } from 'vitest';
import type { MethodName } from '../../../preload/contract/contract.ts';
import { openStillApp } from './still-app.ts';
import { openStubApp, type StubApp } from './stub-app.ts';

/** The stub application of this worker, which is opened for its first test file that asks for one. */
export let stub: StubApp;
/** The page of that application. */
export let page: Page;

/** What outlives a test file: vitest loads our modules again for each file of a worker. */
const worker: { openStub?: Promise<StubApp>; openStill?: Promise<StubApp> } = ((
  globalThis as { llaveroWorker?: object }
).llaveroWorker ??= {});

/** Makes an application the one that {@link stub} and {@link page} are. */
export async function lend(opened: StubApp): Promise<void> {
  stub = opened;
  page = stub.page;
  // A colour that is still fading is not the one people read. That nothing jumps is seen with movement.
  await page.emulateMedia({ reducedMotion: 'reduce', contrast: null });
}

/**
 * Lends the stub application of this worker to all tests of a file. It ends with the worker.
 * @param isStill whether it is to be the one in which the clock stands still
 */
export function openForAll(isStill = false): void {
  beforeAll(async () => {
    await lend(await (isStill ? (worker.openStill ??= openStillApp()) : (worker.openStub ??= openStubApp())));
    // A file before this one may have changed it.
    await page.setViewportSize({ width: 1120, height: 700 });
  });
  // A screen may ignore a failure, and then show nothing where its method has no answer.
  afterEach(async () => expect(await stub.unanswered()).toEqual([]));
}

/** Fails where a method was called by the time that the page has drawn twice and main has answered it once more. */
export async function expectNotAsked(method: MethodName): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise((next) => requestAnimationFrame(next));
    await window.api.app.state();
  });
  expect(await stub.callsOf(method)).toEqual([]);
}
