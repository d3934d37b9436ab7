import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { firstToken, startForeignServer } from './foreign-server.ts';
import { startKeyring } from './keyring.ts';
import { launchApp, makeProfile } from './launch-app.ts';
import { ana, createAccount, expectProfile, seen, enterServer } from './screens.ts';

export const onKnownDesktop = { store: 'gnome-libsecret', name: 'GNOME Keyring' };
/** Electron finds this on i3, Hyprland and others: the Secret Service is there, and Electron does not look for it. */
export const onUnknownDesktop = { store: 'basic', name: 'the system keyring' };

/**
 * By the name of the store: what the first test has made of {@link signedInBefore}, for the others to begin with. They
 * use the folder of the first one again, since the keyring knows a profile by where it lies.
 */
const kept = new Map<string, { folder: string; userDataDir: string; port: number }>();
afterAll(async () => {
  for (const { folder } of kept.values()) await rm(folder, { recursive: true });
});

/** Ana is logged in to a foreign server, the keyring has her token, and the application has been closed. */
export async function signedInBefore({ store, name } = onKnownDesktop) {
  const before = kept.get(store);
  const foreign = await startForeignServer({ host: '127.0.0.5', port: before?.port ?? 0 });
  const userDataDir = await makeProfile(before?.userDataDir);
  const keyring = await startKeyring({ prompts: 'on-display', ...(before && { from: `${before.folder}/keyrings` }) });
  const open = () => launchApp({ userDataDir, env: keyring.env, args: [`--password-store=${store}`] });
  if (before) {
    await cp(`${before.folder}/profile`, userDataDir, { recursive: true });
    foreign.accounts.set(ana.email, { id: 7, ...ana });
    foreign.tokens.set(firstToken, ana.email);
    return { foreign, userDataDir, keyring, open };
  }
  const first = await open();
  await enterServer(first.page, foreign.baseUrl);
  await createAccount(first.page, ana);
  await expectProfile(first.page, ana);
  await seen(first.page.getByText(`Sessions stored in ${name}`));
  await first.quit();
  const folder = await mkdtemp(path.join(tmpdir(), 'llavero-signed-in-'));
  await cp(userDataDir, `${folder}/profile`, { recursive: true });
  await cp(keyring.folder, `${folder}/keyrings`, { recursive: true });
  kept.set(store, { folder, userDataDir, port: foreign.port });
  return { foreign, userDataDir, keyring, open };
}

export const vaultWords = (page: Page, words: RegExp) => seen(page.getByRole('contentinfo').getByText(words));
