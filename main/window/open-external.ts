import { shell } from 'electron';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { safeExternalUrl } from '../../preload/contract/external-url.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';

/**
 * Opens an address that passes `safeExternalUrl` in the browser or mail program. To be called after the user agreed in a
 * system dialog that names it, which a page that was taken over cannot answer.
 */
export async function openExternal(address: string): Promise<Result<null>> {
  const link = safeExternalUrl(address);
  if (link === undefined || !hasOpener()) return fail({ kind: 'no-browser', address });
  return shell.openExternal(link).then(
    () => ok(null),
    () => fail({ kind: 'no-browser', address }),
  );
}

/** On Linux Electron starts `xdg-open` and does not learn if it is missing. */
function hasOpener(): boolean {
  if (process.platform !== 'linux') return true;
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders.some((folder) => existsSync(path.join(folder, 'xdg-open')));
}
