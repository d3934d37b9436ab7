import type { CommandForm, CallFilter, RecordedCall, SecretReference } from '../../../preload/contract/calls.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import { errorCodeOf } from '../../files/error-code.ts';
import type { Clipboard, SecretClipboard } from '../../files/secret-clipboard.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { formatCommand } from '../../client/recording/format-command.ts';
import type { CallHistory } from './call-history.ts';
import { formatHar } from './har.ts';
import type { SecretRegistry } from '../../client/secrets/secret-registry.ts';

export type CallExporterOptions = {
  calls: CallHistory;
  secretRegistry: SecretRegistry;
  /** The token of a session, from the vault. */
  tokenOf: (sessionId: string) => Promise<string | undefined>;
  /** A question of the application itself; succeeds if the user agreed. */
  confirmSecrets: (count: number) => Promise<Result<null>>;
  clipboard: Pick<Clipboard, 'writeText'>;
  secretClipboard: SecretClipboard;
  chooseFile: (purpose: 'export-har') => Promise<string | undefined>;
  version: string;
};

/**
 * Copies and exports calls. Secrets leave the application in one way only: as a command in the clipboard, after a
 * confirmation in a dialog of the application, and for half a minute.
 */
export class CallExporter {
  readonly #options: CallExporterOptions;

  constructor(options: CallExporterOptions) {
    this.#options = options;
  }

  /**
   * Copies the request of a call as a command. `full` includes the secrets, after a confirmation; those that are no longer
   * known stay variables and are counted.
   */
  async copy(
    id: string,
    form: CommandForm,
    secrets: 'variables' | 'full',
    edited?: RecordedCall['request'],
  ): Promise<Result<{ copied: boolean; missing: number }>> {
    const { calls, clipboard, confirmSecrets, secretClipboard } = this.#options;
    const found = calls.get(id);
    if (!found.ok) return found;
    const request = edited ?? found.value.request;
    const masked = formatCommand(request, form);
    if (!masked.ok) return fail({ kind: 'not-a-command', problem: masked.problem });
    const { text, variables } = masked.command;
    if (secrets === 'variables' || variables.length === 0) {
      await clipboard.writeText(text);
      return ok({ copied: true, missing: 0 });
    }
    const confirmed = await confirmSecrets(variables.length);
    if (!confirmed.ok) return unlessRefused(confirmed);
    const values = await this.#valuesOf(variables.map(({ reference }) => reference));
    const full = formatCommand(request, form, (reference) => values.get(reference.id));
    if (!full.ok) return fail({ kind: 'not-a-command', problem: full.problem });
    await secretClipboard.put(full.command.text);
    return ok({ copied: true, missing: full.command.variables.length });
  }

  /** Writes all calls that match into an HTTP archive without secrets, the oldest first (mode 0600). */
  async exportHar(filter: CallFilter): Promise<Result<{ exported?: number }>> {
    const { calls, chooseFile, version } = this.#options;
    const file = await chooseFile('export-har');
    if (file === undefined) return ok({});
    const all = await calls.settled().then(() => calls.findAll(filter));
    try {
      await writeAtomically(file, formatHar(all, { name: 'Llavero', version }));
    } catch (error) {
      return fail({ kind: 'file-failed', code: errorCodeOf(error) ?? '' });
    }
    return ok({ exported: all.length });
  }

  async #valuesOf(references: readonly SecretReference[]): Promise<Map<string, string>> {
    const { secretRegistry, tokenOf } = this.#options;
    const values = new Map<string, string>();
    for (const { id, secret } of references) {
      const value = secretRegistry.valueOf(id) ?? (secret === 'token' ? await tokenOf(id) : undefined);
      if (value !== undefined) values.set(id, value);
    }
    return values;
  }
}

/** A refused confirmation is no failure. */
function unlessRefused(confirmed: Extract<Result<null>, { ok: false }>): Result<{ copied: boolean; missing: number }> {
  return confirmed.error.kind === 'cancelled' ? ok({ copied: false, missing: 0 }) : confirmed;
}
