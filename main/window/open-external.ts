import { shell } from 'electron';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { safeExternalUrl } from '../../preload/contract/external-url.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';

/**
 * The one way out of the application: opens what `outsideLink` lets through in the person's browser or mail program. To be
 * called once the system's own dialog named where it leads and was agreed to, which a page that was taken over cannot
 * do. Nothing of a session goes along. Fails with `no-browser` where the system has nothing that opens addresses.
 */
export async function openExternal(address: string): Promise<Result<null>> {
  const link = safeExternalUrl(address);
  if (link === undefined || !hasOpener()) return fail({ kind: 'no-browser', address });
  return shell.openExternal(link).then(
    () => ok(null),
    () => fail({ kind: 'no-browser', address }),
  );
}

/** Says whether something opens addresses. On Linux Electron starts `xdg-open` and does not learn if it is missing. */
function hasOpener(): boolean {
  if (process.platform !== 'linux') return true;
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders.some((folder) => existsSync(path.join(folder, 'xdg-open')));
}
