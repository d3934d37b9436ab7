import { openStubApp, type StubApp } from './stub-app.ts';

/** The moment at which every picture is taken, a day after what happens in the states. */
const moment = new Date('2026-11-22T09:30:15Z');

/**
 * Opens a stub application in which nothing differs from one run to the next: neither the time nor its zone, and nothing
 * moves.
 */
export async function openStillApp(): Promise<StubApp> {
  const zone = process.env['TZ'];
  process.env['TZ'] = 'UTC';
  const stub = await openStubApp();
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
  await stub.page.emulateMedia({ reducedMotion: 'reduce' });
  await stub.page.clock.setFixedTime(moment);
  return stub;
}
