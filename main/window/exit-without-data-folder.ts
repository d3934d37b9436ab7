import { app, dialog } from 'electron';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { languageNames } from '../../preload/contract/locales/languages.ts';
import { errorCodeOf } from '../files/error-code.ts';
import { resolveLanguage } from './system-language.ts';
import { systemTexts } from '../../preload/contract/locales/system-texts.ts';

/** Reports on the terminal and in a dialog that the user-data folder cannot be created, and exits with 1. */
export async function exitWithoutDataFolder(
  {
    language,
    virtualDisplay,
    userDataDir,
  }: { language: string | undefined; virtualDisplay: boolean; userDataDir: string | undefined },
  error: unknown,
): Promise<void> {
  const where = userDataDir ?? ownFolder();
  const why = where === undefined ? String(error) : [where, problemOf(where)].filter(Boolean).join(': ');
  process.stderr.write(`Llavero cannot make its folder; name another with --user-data-dir=DIR. ${why}\n`);
  // Nobody is at such a display to close a dialog.
  if (virtualDisplay) return app.exit(1);
  let temporary: string | undefined;
  try {
    // Without a folder Chromium does not come far enough to show anything.
    temporary = mkdtempSync(path.join(tmpdir(), 'llavero-'));
    app.setPath('userData', temporary);
    await app.whenReady();
    const t = systemTexts(resolveLanguage(language, Object.keys(languageNames)));
    await dialog.showMessageBox({
      type: 'error',
      title: app.getName(),
      message: t('start.message'),
      detail: `${why}\n\n${t('start.detail')}`,
      buttons: [t('start.close')],
    });
  } catch {
    // Where a temporary folder cannot be made either, the terminal has said it.
  }
  app.exit(1);
  if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
}

/** Electron's default folder, which it does not return if it cannot create it. */
function ownFolder(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  return path.join(process.env['XDG_CONFIG_HOME'] || path.join(homedir(), '.config'), app.getName());
}

/** Returns Node's error code. For several missing folders at once, Node would answer that one is missing. */
function problemOf(folder: string): string | undefined {
  const parent = path.dirname(folder);
  if (parent !== folder && !existsSync(parent)) return problemOf(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
    return undefined;
  } catch (error) {
    return errorCodeOf(error);
  }
}
