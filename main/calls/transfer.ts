import { setImmediate } from 'node:timers/promises';
import type {
  CommandForm,
  CallFilter,
  CallLimits,
  ExportForm,
  RecordedCall,
  SecretReference,
} from '../../preload/contract/calls.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { codeOf } from '../error-code.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { commandOf } from './commands.ts';
import { writeOpenApi, writePostmanCollection } from './documents.ts';
import type { Call } from '../client/call.ts';
import { importedId } from './call-store.ts';
import type { Calls } from './calls.ts';
import { readArchive } from './archive-job.ts';
import { writeHar } from './har.ts';
import { importAside } from './recording-job.ts';
import { createSecretReferences, type SecretReferences } from '../secrets/secret-references.ts';

/** Electron's clipboard. From version 45 on it answers promises. */
type Clipboard = { readText: () => string | Promise<string>; writeText: (text: string) => unknown };

/** The seconds that a command with secrets stays in the clipboard. */
export const clipboardSeconds = 30;

const writers: Record<ExportForm, (calls: readonly RecordedCall[], version: string) => string> = {
  har: (calls, version) => writeHar(calls, { name: 'Llavero', version }),
  postman: writePostmanCollection,
  openapi: writeOpenApi,
};

export type Transfer = ReturnType<typeof createTransfer>;

/**
 * Takes calls out of the application and brings some in. Secrets leave it in one way only: as a command in the
 * clipboard, after the person confirmed that in a dialog of the system, and for half a minute.
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- Its functions are short, and share what they move calls with.
export function createTransfer(options: {
  calls: Calls;
  limits: () => CallLimits;
  references: SecretReferences;
  /** Returns the token of a session, out of the vault. */
  tokenOf: (sessionId: string) => Promise<string | undefined>;
  /** Main's own question. Succeeds when the person agreed. */
  confirmSecrets: (count: number) => Promise<Result<null>>;
  clipboard: Clipboard;
  chooseFile: (purpose: 'import-har' | `export-${ExportForm}`) => Promise<string | undefined>;
  version: string;
}) {
  const { calls, limits, references, tokenOf, confirmSecrets, clipboard, chooseFile, version } = options;
  const secretClipboard = createSecretClipboard(clipboard);

  async function valuesOf(wanted: readonly SecretReference[]): Promise<Map<string, string>> {
    const values = new Map<string, string>();
    for (const { id, secret } of wanted) {
      const value = references.valueOf(id) ?? (secret === 'token' ? await tokenOf(id) : undefined);
      if (value !== undefined) values.set(id, value);
    }
    return values;
  }

  return {
    /**
     * Puts the request of a call into the clipboard as a command. `full` puts the secrets in, after a confirmation.
     * Those that are gone stay variables, and are counted.
     */
    async copy(
      id: string,
      form: CommandForm,
      secrets: 'variables' | 'full',
    ): Promise<Result<{ copied: boolean; missing: number }>> {
      const found = calls.get(id);
      if (!found.ok) return found;
      const masked = commandOf(found.value.request, form);
      if (!masked.ok) return fail({ kind: 'not-a-command', problem: masked.problem });
      const { text, variables } = masked.command;
      if (secrets === 'variables' || variables.length === 0) {
        await clipboard.writeText(text);
        return ok({ copied: true, missing: 0 });
      }
      const agreed = await confirmSecrets(variables.length);
      if (!agreed.ok) return unlessRefused(agreed);
      const values = await valuesOf(variables.map(({ reference }) => reference));
      const full = commandOf(found.value.request, form, (reference) => values.get(reference.id));
      if (!full.ok) return fail({ kind: 'not-a-command', problem: full.problem });
      await secretClipboard.put(full.command.text);
      return ok({ copied: true, missing: full.command.variables.length });
    },

    /** Writes all calls that a filter finds, the oldest first, into a file without secrets (0600). */
    async exportFile(filter: CallFilter, form: ExportForm): Promise<Result<{ exported?: number }>> {
      const file = await chooseFile(`export-${form}`);
      if (file === undefined) return ok({});
      const all = await calls.settled().then(() => calls.every(filter));
      try {
        await writeAtomically(file, writers[form](all, version));
      } catch (error) {
        return fail({ kind: 'file-failed', code: codeOf(error) ?? '' });
      }
      return ok({ exported: all.length });
    },

    /** Adds what an HTTP archive holds, for viewing. If it has more than are kept, its last calls are added. */
    async importHar(): Promise<Result<{ imported?: number; skipped: number }>> {
      const file = await chooseFile('import-har');
      if (file === undefined) return ok({ skipped: 0 });
      const archive = await readArchive(file, limits().count);
      if (!archive.ok) return fail({ kind: 'import-refused', reason: archive.reason, detail: archive.code });
      const imported = await addImported(archive.calls, calls, references);
      return ok({ imported, skipped: archive.entries - imported });
    },

    /** Takes secrets out of the clipboard if they are still there. */
    close: secretClipboard.clear,
  };
}

/** Adds the calls of an HTTP archive, and answers how many there were. */
async function addImported(archived: Iterable<Call>, calls: Calls, references: SecretReferences): Promise<number> {
  // Its own secrets are not looked for in what is recorded here. Those of here are looked for in it.
  const own = createSecretReferences();
  const within: SecretReferences['within'] = (text, isCut) => {
    const [inFile, here] = [own.within(text, isCut), references.within(text, isCut)];
    return { found: [...inFile.found, ...here.found], tooHard: inFile.tooHard || here.tooHard };
  };
  const both: SecretReferences = {
    ...own,
    within,
    isWatched: (value) => own.isWatched(value) || references.isWatched(value),
    watched: () => [...own.watched(), ...references.watched()],
  };
  let imported = 0;
  for (const call of archived) {
    // Other calls and the window get their turn in between. What is long is searched on the other thread.
    await setImmediate();
    calls.add(await importAside(importedId, call, both));
    imported++;
  }
  return imported;
}

/** Puts texts that hold secrets into the clipboard, and takes them out of it after a while. */
function createSecretClipboard(clipboard: Clipboard) {
  let copied: { text: string; timer: NodeJS.Timeout } | undefined;

  /** What somebody copied meanwhile stays. */
  async function clear(): Promise<void> {
    if (!copied) return;
    const { text, timer } = copied;
    copied = undefined;
    clearTimeout(timer);
    if ((await clipboard.readText()) === text) await clipboard.writeText('');
  }

  return {
    clear,

    async put(text: string): Promise<void> {
      await clipboard.writeText(text);
      if (copied) clearTimeout(copied.timer);
      copied = { text, timer: setTimeout(() => void clear(), clipboardSeconds * 1000) };
    },
  };
}

/** That the person said no is no failure. */
function unlessRefused(asked: Extract<Result<null>, { ok: false }>): Result<{ copied: boolean; missing: number }> {
  return asked.error.kind === 'cancelled' ? ok({ copied: false, missing: 0 }) : asked;
}
