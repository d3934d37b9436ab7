import type { CommandForm, CallFilter, RecordedCall, SecretReference } from '../../../preload/contract/calls.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import { errorCodeOf } from '../../files/error-code.ts';
import type { Clipboard, SecretClipboard } from '../../files/secret-clipboard.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { formatCommand } from '../../client/recording/format-command.ts';
import type { CallHistory } from './call-history.ts';
import { formatHar } from './har.ts';
import type { SecretRegistry } from '../../client/secrets/secret-registry.ts';

/** What calls are taken out of the application with. */
export type CallExporterOptions = {
  calls: CallHistory;
  secretRegistry: SecretRegistry;
  /** Returns the token of a session, out of the vault. */
  tokenOf: (sessionId: string) => Promise<string | undefined>;
  /** Main's own question. Succeeds when the person agreed. */
  confirmSecrets: (count: number) => Promise<Result<null>>;
  clipboard: Pick<Clipboard, 'writeText'>;
  secretClipboard: SecretClipboard;
  chooseFile: (purpose: 'export-har') => Promise<string | undefined>;
  version: string;
};

/**
 * Takes calls out of the application. Secrets leave it in one way only: as a command in the
 * clipboard, after the person confirmed that in a dialog of the system, and for half a minute.
 */
export class CallExporter {
  readonly #options: CallExporterOptions;

  constructor(options: CallExporterOptions) {
    this.#options = options;
  }

  /**
   * Puts the request of a call into the clipboard as a command. `full` puts the secrets in, after a confirmation.
   * Those that are gone stay variables, and are counted. `edited` is what a person made of the request.
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
    const agreed = await confirmSecrets(variables.length);
    if (!agreed.ok) return unlessRefused(agreed);
    const values = await this.#valuesOf(variables.map(({ reference }) => reference));
    const full = formatCommand(request, form, (reference) => values.get(reference.id));
    if (!full.ok) return fail({ kind: 'not-a-command', problem: full.problem });
    await secretClipboard.put(full.command.text);
    return ok({ copied: true, missing: full.command.variables.length });
  }

  /** Writes all calls that a filter finds, the oldest first, into an HTTP archive without secrets (0600). */
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

  async #valuesOf(wanted: readonly SecretReference[]): Promise<Map<string, string>> {
    const { secretRegistry, tokenOf } = this.#options;
    const values = new Map<string, string>();
    for (const { id, secret } of wanted) {
      const value = secretRegistry.valueOf(id) ?? (secret === 'token' ? await tokenOf(id) : undefined);
      if (value !== undefined) values.set(id, value);
    }
    return values;
  }
}

/** That the person said no is no failure. */
function unlessRefused(asked: Extract<Result<null>, { ok: false }>): Result<{ copied: boolean; missing: number }> {
  return asked.error.kind === 'cancelled' ? ok({ copied: false, missing: 0 }) : asked;
}
