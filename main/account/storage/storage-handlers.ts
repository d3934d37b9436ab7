import path from 'node:path';
import type { Language } from '../../../preload/contract/settings.ts';
import { ok, type Result } from '../../../preload/contract/result.ts';
import type { Handlers } from '../../../preload/contract/contract.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { AppStateHolder } from '../state/app-state.ts';

/** Loads its code with the first call. */
export function storageHandlers(options: {
  folder: string;
  state: AppStateHolder;
  session: Pick<Sessions, 'removeAll'>;
  /** Deletes the key of this profile in the system's secret store. */
  forgetKey: () => Promise<void>;
  /** Closes all open files. */
  close: () => Promise<void>;
  /** Asks in a system dialog; `cancelled` if the user refuses. */
  ask: (question: { kind: 'erase' }) => Promise<Result<null>>;
  dialogs: { showEraseFailed: (names: readonly string[], language: Language) => Promise<void> };
  clipboard: { writeText: (text: string) => unknown };
  /** Ends the process at once: nothing is written. */
  exit: (code: number) => void;
}): Handlers['storage'] {
  const { folder, state, session, forgetKey, close, ask, dialogs, clipboard, exit } = options;
  const diagnostics = async (): Promise<string> =>
    (await import('./diagnostics.ts')).formatDiagnostics(state.get(), path.join(folder, 'logs'));

  return {
    overview: async () => ok(await (await import('./storage-overview.ts')).readStorageOverview(folder)),
    diagnostics: async () => ok({ text: await diagnostics() }),
    async copyDiagnostics() {
      await clipboard.writeText(await diagnostics());
      return ok({ copied: true });
    },
    async eraseEverything() {
      const { language } = state.get();
      const agreed = await ask({ kind: 'erase' });
      if (!agreed.ok) return agreed.error.kind === 'cancelled' ? ok({ erased: false as const }) : agreed;
      await session.removeAll();
      await forgetKey();
      await close();
      const left = await (await import('./erase-folder.ts')).eraseFolder(folder);
      if (left.length > 0) await dialogs.showEraseFailed(left, language);
      // Without closing the window, which would write its bounds into the erased settings.
      exit(left.length > 0 ? 1 : 0);
      return ok({ erased: false as const });
    },
  };
}
