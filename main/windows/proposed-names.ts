import type { Language } from '../../preload/contract/models.ts';
import type { FileDialogPurpose } from '../dialogs.ts';
import { systemWords } from '../system-words.ts';

/** Other programs look for files by these names, so they are the same in every language. */
const namesOfTools: Partial<Record<FileDialogPurpose, string>> = {
  'export-har': 'llavero.har',
};

/** They have no accents, which a file name loses on its way through some archives and mails. */
const names = systemWords('savedAs', {
  en: {
    export: 'llavero-servers.json',
    'export-model': 'llavero-model.json',
    'export-profile': 'llavero-my-data.json',
    'export-comparison': 'llavero-comparison.md',
    'share-finding': 'llavero-finding.json',
    'export-report-markdown': 'llavero-report.md',
    'export-report-html': 'llavero-report.html',
    'export-report-json': 'llavero-report.json',
    'export-report-junit': 'llavero-report.xml',
  },
  es: {
    export: 'llavero-servidores.json',
    'export-model': 'llavero-modelo.json',
    'export-profile': 'llavero-mis-datos.json',
    'export-comparison': 'llavero-comparacion.md',
    'share-finding': 'llavero-hallazgo.json',
    'export-report-markdown': 'llavero-informe.md',
    'export-report-html': 'llavero-informe.html',
    'export-report-json': 'llavero-informe.json',
    'export-report-junit': 'llavero-informe.xml',
  },
});

/** Returns the name that is offered for a file to be written. A file to be read has none. */
export function proposedName(purpose: FileDialogPurpose, language: Language): string | undefined {
  const said: Partial<Record<FileDialogPurpose, string>> = names(language);
  return namesOfTools[purpose] ?? said[purpose];
}
