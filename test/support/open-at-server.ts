import { startForeignServer } from './foreign-server.ts';
import { startKeyring } from './keyring.ts';
import { launchApp, makeProfile } from './launch-app.ts';
import { enterServer } from './screens.ts';

/**
 * Starts the application with a keyring, at a foreign server.
 * @param store the store of secrets that Electron is told of
 */
export async function openAtServer(store = 'gnome-libsecret') {
  const foreign = await startForeignServer();
  const userDataDir = await makeProfile();
  const { env } = await startKeyring();
  const open = () => launchApp({ userDataDir, env, args: [`--password-store=${store}`] });
  const running = await open();
  await enterServer(running.page, foreign.baseUrl);
  return { ...running, foreign, open };
}
