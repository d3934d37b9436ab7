import path from 'node:path';
import type { Language } from '../../../preload/contract/settings.ts';
import { ok, type Result } from '../../../preload/contract/result.ts';
import type { Handlers } from '../../../preload/contract/contract.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { AppStateHolder } from '../state/app-state.ts';

/** Makes what the window may ask of what rests on this computer. Its code is loaded with the first question. */
export function storageHandlers(options: {
  folder: string;
  state: AppStateHolder;
  session: Pick<Sessions, 'removeAll'>;
  /** Drops what the system's secret store keeps for this profile. */
  forgetKey: () => Promise<void>;
  /** Closes everything that has a file open. */
  close: () => Promise<void>;
  /** Main's own question. Succeeds when the person agreed. */
  ask: (question: { kind: 'erase' }) => Promise<Result<null>>;
  dialogs: { showEraseFailed: (names: readonly string[], language: Language) => Promise<void> };
  clipboard: { writeText: (text: string) => unknown };
  /** Ends the application at once, without writing anything. */
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
      // The window is not closed first, since that would be remembered in the settings that were just erased.
      exit(left.length > 0 ? 1 : 0);
      return ok({ erased: false as const });
    },
  };
}
