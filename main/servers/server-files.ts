import type { FilePurpose } from '../../preload/contract/contract.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import type { ConfigStore } from '../config/config.ts';
import type { Question } from '../dialogs.ts';
import type { ChosenFiles } from './chosen-files.ts';
import { confirmImported } from './imported-proxies.ts';
import type { ServerList } from './server-list.ts';
import { readServersFile, writeServersFile } from './servers-file.ts';

/** The files that a person chooses in main's own dialogs: of servers, and of their connections. */
export function createServerFiles(options: {
  config: ConfigStore;
  list: ServerList;
  chosenFiles: ChosenFiles;
  /** Main's own question. Succeeds when the person agreed. */
  ask: (question: Question) => Promise<Result<null>>;
  /** The system's own dialogs; undefined when the person chose nothing. */
  chooseFile: (purpose: 'import' | 'export' | FilePurpose) => Promise<string | undefined>;
}) {
  const { config, list, chosenFiles, ask, chooseFile } = options;

  return {
    /** All servers of the file are added, or none. Its proxies are left out unless the person agrees to them. */
    async importFile(): Promise<Result<null>> {
      const file = await chooseFile('import');
      if (file === undefined) return ok(null);
      const read = await readServersFile(file);
      if (!read.ok) return fail({ kind: 'import-refused', reason: read.reason, detail: read.detail });
      return list.add(await confirmImported(read.servers, ask));
    },

    async exportFile(): Promise<Result<null>> {
      const file = await chooseFile('export');
      if (file === undefined) return ok(null);
      const code = await writeServersFile(file, config.get().servers);
      return code === undefined ? ok(null) : fail({ kind: 'file-failed', code });
    },

    async chooseFile(purpose: FilePurpose): Promise<string | undefined> {
      const file = await chooseFile(purpose);
      return file === undefined ? undefined : chosenFiles.add(purpose, file);
    },
  };
}
