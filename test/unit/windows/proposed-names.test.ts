import { describe, expect, it } from 'vitest';
import type { FileDialogPurpose } from '../../../main/dialogs.ts';
import { proposedName } from '../../../main/windows/proposed-names.ts';

const written: [purpose: FileDialogPurpose, en: string, es: string][] = [
  ['export', 'llavero-servers.json', 'llavero-servidores.json'],
  ['export-model', 'llavero-model.json', 'llavero-modelo.json'],
  ['export-profile', 'llavero-my-data.json', 'llavero-mis-datos.json'],
  ['export-comparison', 'llavero-comparison.md', 'llavero-comparacion.md'],
  ['share-finding', 'llavero-finding.json', 'llavero-hallazgo.json'],
  ['export-report-markdown', 'llavero-report.md', 'llavero-informe.md'],
  ['export-report-html', 'llavero-report.html', 'llavero-informe.html'],
  ['export-report-json', 'llavero-report.json', 'llavero-informe.json'],
  ['export-report-junit', 'llavero-report.xml', 'llavero-informe.xml'],
];

describe('the name that is offered for a file', () => {
  it.each(written)('is in the language of the window: %s', (purpose, en, es) => {
    expect(proposedName(purpose, 'en')).toBe(en);
    expect(proposedName(purpose, 'es')).toBe(es);
  });

  it.each([['export-har', 'llavero.har']] as const)('is the one that other programs look for: %s', (purpose, name) => {
    for (const language of ['en', 'es']) expect(proposedName(purpose, language)).toBe(name);
  });

  it('is none where a file is read', () => {
    for (const purpose of ['import', 'pac', 'pfx'] as const) {
      expect(proposedName(purpose, 'es')).toBeUndefined();
    }
  });
});
