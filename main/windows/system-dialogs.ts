import { dialog, type BrowserWindow } from 'electron';
import type { Language } from '../../preload/contract/models.ts';
import type { BadLink, Dialogs, FileDialogPurpose, Question } from '../dialogs.ts';
import { systemWords } from '../system-words.ts';
import { openOutside } from './outside-links.ts';
import { proposedName } from './proposed-names.ts';
import { plain, sayQuestion } from './question-texts.ts';

/**
 * Makes the system's own dialogs, which a page that was taken over cannot answer. Without a window nothing is asked,
 * and the answer is no.
 */
export function createDialogs(window: () => BrowserWindow | undefined): Dialogs {
  return {
    chooseFile: (purpose, language) => chooseFile(purpose, language, window()),
    confirm: (question, language) => confirm(question, language, window()),
    sayNotErased,
    sayBadLink: (bad, language) => sayBadLink(bad, language, window()),
    openOutside,
  };
}

const fileTexts = systemWords('files', {
  en: {
    import: 'Import servers',
    export: 'Export servers',
    authority: 'Private CA certificate',
    certificate: 'Client certificate',
    key: 'Private key of the client certificate',
    pfx: 'Client certificate with its key',
    pac: 'Script that chooses the proxy (PAC)',
    'export-har': 'Export an HTTP archive',
    'import-report': 'Compare with a contract report',
    'export-comparison': 'Export the comparison as Markdown',
    'share-finding': 'Share this finding as a report',
    'export-report-markdown': 'Export the contract report as Markdown',
    'export-report-html': 'Export the contract report as a web page',
    'export-report-json': 'Export the contract report as JSON',
    'export-report-junit': 'Export the contract report as JUnit',
    'import-model': 'Import a server model',
    'export-model': 'Export a server model',
    'export-profile': 'Save my data',
    report: 'Contract report',
    servers: 'Servers of Llavero',
    har: 'HTTP archive',
    all: 'All files',
  },
  es: {
    import: 'Importar servidores',
    export: 'Exportar servidores',
    authority: 'Certificado de una autoridad privada',
    certificate: 'Certificado de cliente',
    key: 'Clave privada del certificado de cliente',
    pfx: 'Certificado de cliente con su clave',
    pac: 'Script que elige el proxy (PAC)',
    'export-har': 'Exportar un archivo HAR',
    'import-report': 'Comparar con un informe del contrato',
    'export-comparison': 'Exportar la comparación como Markdown',
    'share-finding': 'Compartir este hallazgo como informe',
    'export-report-markdown': 'Exportar el informe del contrato como Markdown',
    'export-report-html': 'Exportar el informe del contrato como página web',
    'export-report-json': 'Exportar el informe del contrato como JSON',
    'export-report-junit': 'Exportar el informe del contrato como JUnit',
    'import-model': 'Importar el modelo de un servidor',
    'export-model': 'Exportar el modelo de un servidor',
    'export-profile': 'Guardar mis datos',
    report: 'Informe del contrato',
    servers: 'Servidores de Llavero',
    har: 'Archivo HAR',
    all: 'Todos los archivos',
  },
});

const extensions: Record<FileDialogPurpose, string[]> = {
  import: ['json'],
  export: ['json'],
  'export-har': ['har'],
  'import-report': ['json'],
  'export-comparison': ['md'],
  'share-finding': ['json'],
  'export-profile': ['json'],
  'export-report-markdown': ['md'],
  'export-report-html': ['html'],
  'export-report-json': ['json'],
  'export-report-junit': ['xml'],
  'import-model': ['json'],
  'export-model': ['json'],
  authority: ['pem', 'crt', 'cer'],
  certificate: ['pem', 'crt', 'cer'],
  key: ['pem', 'key'],
  pfx: ['pfx', 'p12'],
  pac: ['pac', 'js', 'dat'],
};

async function chooseFile(
  purpose: FileDialogPurpose,
  language: Language,
  window: BrowserWindow | undefined,
): Promise<string | undefined> {
  if (!window) return undefined;
  const text = fileTexts(language);
  const title = text[purpose];
  const kinds: Partial<Record<FileDialogPurpose, string>> = {
    import: text.servers,
    export: text.servers,
    'export-har': text.har,
    'import-report': text.report,
    'share-finding': 'JSON',
    'import-model': 'JSON',
    'export-model': 'JSON',
    'export-profile': 'JSON',
    'export-comparison': 'Markdown',
    'export-report-markdown': 'Markdown',
    'export-report-html': 'HTML',
    'export-report-json': 'JSON',
    'export-report-junit': 'JUnit',
  };
  const name = kinds[purpose];
  const filters = [
    { name: name ?? title, extensions: extensions[purpose] },
    // Keys and certificates may have any name.
    ...(name === undefined ? [{ name: text.all, extensions: ['*'] }] : []),
  ];
  const defaultPath = proposedName(purpose, language);
  if (defaultPath !== undefined) {
    const saved = await dialog.showSaveDialog(window, { title, filters, defaultPath });
    return saved.canceled ? undefined : saved.filePath;
  }
  const opened = await dialog.showOpenDialog(window, { title, filters, properties: ['openFile'] });
  return opened.canceled ? undefined : opened.filePaths[0];
}

/** Cancel is what Enter and Escape choose. */
async function confirm(question: Question, language: Language, window: BrowserWindow | undefined): Promise<boolean> {
  if (!window) return false;
  const { message, detail, agree, cancel } = sayQuestion(question, language);
  const { response } = await dialog.showMessageBox(window, {
    type: question.kind === 'open-outside' ? 'question' : 'warning',
    message,
    detail,
    buttons: [agree, cancel],
    defaultId: 1,
    cancelId: 1,
  });
  return response === 0;
}

const dialogs = systemWords('dialogs', {
  en: {
    'not-erased': 'Some files could not be erased. Remove them yourself:',
    'not-a-link': 'This link leads nowhere: Llavero only follows links to a server, by its name.',
    'unknown-server': 'A link asks for the server “{{name}}”, which Llavero does not know.',
  },
  es: {
    'not-erased': 'Algunos archivos no se pudieron borrar. Bórralos tú:',
    'not-a-link': 'Este enlace no lleva a ninguna parte: Llavero solo sigue enlaces a un servidor, por su nombre.',
    'unknown-server': 'Un enlace pide el servidor «{{name}}», que Llavero no conoce.',
  },
});

function sayNotErased(names: readonly string[], language: Language): void {
  dialog.showErrorBox('Llavero', `${dialogs(language)['not-erased']}\n${names.join('\n')}`);
}

async function sayBadLink(bad: BadLink, language: Language, window: BrowserWindow | undefined): Promise<void> {
  const name = bad.problem === 'unknown-server' ? plain(bad.name) : '';
  const message = dialogs(language)[bad.problem].replace('{{name}}', () => name);
  if (window) await dialog.showMessageBox(window, { type: 'info', message });
}
