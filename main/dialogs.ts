import type { ExportForm } from '../preload/contract/calls.ts';
import type { FilePurpose } from '../preload/contract/contract.ts';
import type { ReportForm } from '../preload/contract/report-forms.ts';
import type { Language } from '../preload/contract/models.ts';
import type { Result } from '../preload/contract/result.ts';

/** What a file is chosen for. */
export type FileDialogPurpose =
  | 'import'
  | 'export'
  | 'import-har'
  | `export-${ExportForm}`
  | 'import-report'
  | `export-report-${ReportForm}`
  | FilePurpose;

/** The system's own dialogs, in front of the window. */
export type Dialogs = {
  /** Undefined when the person chose nothing. */
  chooseFile: (purpose: FileDialogPurpose, language: Language) => Promise<string | undefined>;
  /** Whether so many secrets may be copied in clear. */
  confirmSecrets: (count: number, language: Language) => Promise<boolean>;
  confirmErase: (language: Language) => Promise<boolean>;
  /** Says which files {@link confirmErase} promised to erase and could not be. */
  sayNotErased: (names: readonly string[], language: Language) => void;
  /** Opens an address in the person's browser, once the person agreed. */
  openOutside: (baseUrl: string, language: Language) => Promise<Result<{ opened: boolean }>>;
};
