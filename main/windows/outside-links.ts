import { type BrowserWindow, dialog, shell } from 'electron';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Language } from '../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';

const texts = {
  en: { message: (host: string) => `Open ${host} in your browser?`, open: 'Open', cancel: 'Cancel' },
  es: { message: (host: string) => `¿Abrir ${host} en tu navegador?`, open: 'Abrir', cancel: 'Cancelar' },
} satisfies Record<Language, object>;

/**
 * The one way out of the application: opens a base URL (`parseBaseUrl`) in the person's browser, after the system's own
 * dialog named its host, which a page that was taken over cannot answer. Nothing of a session goes along.
 * Fails with `no-browser` where the system has nothing that opens addresses.
 */
export async function openOutside(
  baseUrl: string,
  language: Language,
  window: BrowserWindow | undefined,
): Promise<Result<{ opened: boolean }>> {
  if (!window) return ok({ opened: false });
  const { message, open, cancel } = texts[language];
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: message(new URL(baseUrl).host),
    detail: baseUrl,
    buttons: [open, cancel],
    defaultId: 1,
    cancelId: 1,
  });
  if (response !== 0) return ok({ opened: false });
  if (!hasOpener()) return fail({ kind: 'no-browser', address: baseUrl });
  return shell.openExternal(baseUrl).then(
    () => ok({ opened: true }),
    () => fail({ kind: 'no-browser', address: baseUrl }),
  );
}

/** On Linux Electron starts `xdg-open` and does not learn that there is none. */
function hasOpener(): boolean {
  if (process.platform !== 'linux') return true;
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders.some((folder) => existsSync(path.join(folder, 'xdg-open')));
}
