import { dialog, type BrowserWindow, type OpenDialogReturnValue } from 'electron';
import type { Language } from '../../preload/contract/settings.ts';
import type system from '../../preload/contract/locales/system/en.json';
import type { BadLink, Dialogs, FileDialogPurpose, DialogQuestion } from '../../preload/contract/dialogs.ts';
import { openExternal } from './open-external.ts';

/**
 * System dialogs, which a page that was taken over cannot answer. Without a window the answer is no. Their texts are
 * loaded with the first one.
 */
export function createSystemDialogs(window: () => BrowserWindow | undefined): Dialogs {
  return {
    chooseFile: (purpose, language) => chooseFile(purpose, language, window()),
    confirm: (question, language) => confirm(question, language, window()),
    showEraseFailed,
    showBadLink: (bad, language) => showBadLink(bad, language, window()),
    openExternal,
  };
}

/** A file that is written has a proposed name, and one that is read has none. */
type Saved = keyof typeof system.savedAs;
type FileKind = {
  extensions: readonly string[];
  isFolder?: true;
  /** The name of the file type. Keys and certificates have none, so all files are offered, too. */
  called?: 'report' | 'servers' | 'har' | 'JSON' | 'Markdown' | 'HTML' | 'JUnit';
};

const saved: Record<FileDialogPurpose & Saved, FileKind> = {
  export: { extensions: ['json'], called: 'servers' },
  'export-har': { extensions: ['har'], called: 'har' },
  'export-comparison': { extensions: ['md'], called: 'Markdown' },
  'share-finding': { extensions: ['json'], called: 'JSON' },
  'export-profile': { extensions: ['json'], called: 'JSON' },
  'export-report-markdown': { extensions: ['md'], called: 'Markdown' },
  'export-report-html': { extensions: ['html'], called: 'HTML' },
  'export-report-json': { extensions: ['json'], called: 'JSON' },
  'export-report-junit': { extensions: ['xml'], called: 'JUnit' },
  'export-model': { extensions: ['json'], called: 'JSON' },
};
const opened: Record<Exclude<FileDialogPurpose, Saved>, FileKind> = {
  import: { extensions: ['json'], called: 'servers' },
  'import-report': { extensions: ['json'], called: 'report' },
  'import-model': { extensions: ['json'], called: 'JSON' },
  'find-interface': { extensions: ['json', 'yaml', 'yml', 'har', 'bru', 'env', 'txt', 'sh'] },
  'find-in-folder': { extensions: [], isFolder: true },
  authority: { extensions: ['pem', 'crt', 'cer'] },
  certificate: { extensions: ['pem', 'crt', 'cer'] },
  key: { extensions: ['pem', 'key'] },
  pfx: { extensions: ['pfx', 'p12'] },
  pac: { extensions: ['pac', 'js', 'dat'] },
};

const isSaved = (purpose: FileDialogPurpose): purpose is keyof typeof saved => purpose in saved;

async function chooseFile(
  purpose: FileDialogPurpose,
  language: Language,
  window: BrowserWindow | undefined,
): Promise<string | undefined> {
  if (!window) return undefined;
  const { systemTexts } = await import('../../preload/contract/locales/system-texts.ts');
  const t = systemTexts(language);
  const title = t(`files.${purpose}`);
  const { extensions, called, isFolder }: FileKind = isSaved(purpose) ? saved[purpose] : opened[purpose];
  if (isFolder) return openedOf(await dialog.showOpenDialog(window, { title, properties: ['openDirectory'] }));
  const isOurs = called === 'report' || called === 'servers' || called === 'har';
  const filters = [
    { name: isOurs ? t(`files.${called}`) : (called ?? title), extensions: [...extensions] },
    ...(called === undefined ? [{ name: t('files.all'), extensions: ['*'] }] : []),
  ];
  if (isSaved(purpose)) {
    const { canceled, filePath } = await dialog.showSaveDialog(window, {
      title,
      filters,
      defaultPath: t(`savedAs.${purpose}`),
    });
    return canceled ? undefined : filePath;
  }
  return openedOf(await dialog.showOpenDialog(window, { title, filters, properties: ['openFile'] }));
}

const openedOf = ({ canceled, filePaths }: OpenDialogReturnValue): string | undefined =>
  canceled ? undefined : filePaths[0];

/** Enter and Escape cancel. */
async function confirm(
  question: DialogQuestion,
  language: Language,
  window: BrowserWindow | undefined,
): Promise<boolean> {
  if (!window) return false;
  const { formatQuestion } = await import('./prompts/format-question.ts');
  const { message, detail, agree, cancel } = formatQuestion(question, language);
  const { response } = await dialog.showMessageBox(window, {
    type: question.kind === 'open-outside' || question.kind === 'open-mail' ? 'question' : 'warning',
    message,
    detail,
    buttons: [agree, cancel],
    defaultId: 1,
    cancelId: 1,
  });
  return response === 0;
}

async function showEraseFailed(names: readonly string[], language: Language): Promise<void> {
  const { systemTexts } = await import('../../preload/contract/locales/system-texts.ts');
  dialog.showErrorBox('Llavero', `${systemTexts(language)('dialogs.not-erased')}\n${names.join('\n')}`);
}

async function showBadLink(bad: BadLink, language: Language, window: BrowserWindow | undefined): Promise<void> {
  if (!window) return;
  const [{ systemTexts }, { sanitizeForDialog }] = await Promise.all([
    import('../../preload/contract/locales/system-texts.ts'),
    import('./prompts/format-question.ts'),
  ]);
  const t = systemTexts(language);
  const message =
    bad.problem === 'unknown-server'
      ? t('dialogs.unknown-server', { name: sanitizeForDialog(bad.name) })
      : t(`dialogs.${bad.problem}`);
  await dialog.showMessageBox(window, { type: 'info', message });
}
