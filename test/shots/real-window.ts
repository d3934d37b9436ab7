import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ElectronApplication, Page } from 'playwright-core';
import { startApp } from '../support/start-app.ts';

export type Shape = { width: number; height: number; scale: number };

/**
 * Opens the built application as it is at its first start, in a window of this shape, and closes it afterwards. A person
 * agrees to every origin that it asks about, since pictures of the page have no dialogs of the system.
 */
export async function withShotWindow(shape: Shape, work: (page: Page) => Promise<void>): Promise<void> {
  const userDataDir = await mkdtemp(path.join(tmpdir(), 'llavero-shots-'));
  const { scale, ...size } = shape;
  const app = await startApp({ userDataDir, args: [`--force-device-scale-factor=${scale}`] });
  try {
    const page = await app.firstWindow();
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 0, mobile: false });
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await agreeToOrigins(app);
    await work(page);
  } finally {
    await app.close();
    await rm(userDataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

const agreeToOrigins = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ dialog }) => {
    dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false });
  });

/** A server as a person enters it, with the description of its interface where it has another. */
type Entered = { name: string; address: string; colour: 'teal' | 'amber' | 'purple'; interface?: string };

/** Enters a server, as the page of the servers does, and returns its id. */
export async function addServer(page: Page, { interface: text, ...entered }: Entered): Promise<string> {
  const server = {
    ...entered,
    notes: '',
    registrationPath: 'registro' as const,
    production: false,
    pinned: {},
    ...(text !== undefined && { enteredInterface: { text, variables: [] } }),
  };
  const made = await page.evaluate((each) => window.api.servers.create(each), server);
  if (!made.ok) throw new Error(JSON.stringify(made.error));
  return made.value.id;
}
