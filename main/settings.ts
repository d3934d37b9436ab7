import type { Settings, WindowState } from '../preload/contract/models.ts';
import { fail, ok, type Result } from '../preload/contract/result.ts';
import type { ConfigStore } from './config/config.ts';
import type { Handlers } from './ipc/answer.ts';
import type { SessionService } from './session/session.ts';
import type { AppStateHolder } from './state/app-state.ts';

type SettingName = keyof Settings;
type Change = { [N in SettingName]?: Settings[N] | undefined };

/** Nobody in front of a locked window changes when it locks. */
const safeWhileLocked: ReadonlySet<string> = new Set<SettingName>(['language', 'theme']);

/**
 * Changes settings.
 * @param options.onChanged called once they hold, for what is not made of the state: the menu and the window's theme
 */
export function settingsHandlers(options: {
  config: ConfigStore;
  state: AppStateHolder;
  session: Pick<SessionService, 'setClearOnQuit'>;
  /** The system's own dialog; undefined when the person chose nothing. */
  chooseFile: (purpose: 'import-settings' | 'export-settings') => Promise<string | undefined>;
  onChanged: () => void;
}): Handlers['settings'] {
  const { config, state, session, chooseFile, onChanged } = options;

  async function change(patch: Change): Promise<Result<WindowState>> {
    const given = Object.entries(patch).filter(([, value]) => value !== undefined);
    if (state.isLocked() && given.some(([name]) => !safeWhileLocked.has(name))) return fail({ kind: 'locked' });
    const { settings: before } = config.get();
    const settings: Settings = { ...before, ...Object.fromEntries(given) };
    config.change({ settings });
    onChanged();
    if (settings.clearOnQuit !== before.clearOnQuit) await session.setClearOnQuit(settings.clearOnQuit);
    return ok(state.shown());
  }

  return {
    change,

    async exportFile() {
      const file = await chooseFile('export-settings');
      if (file === undefined) return ok({ exported: false });
      const { writeSettingsFile } = await import('./settings-file.ts');
      const code = await writeSettingsFile(file, config.get().settings);
      return code === undefined ? ok({ exported: true }) : fail({ kind: 'file-failed', code });
    },

    async importFile() {
      const file = await chooseFile('import-settings');
      if (file === undefined) return ok({});
      const { readSettingsFile } = await import('./settings-file.ts');
      const read = await readSettingsFile(file);
      if (!read.ok) return fail({ kind: 'import-refused', reason: read.reason, detail: read.detail });
      const { settings: before } = config.get();
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Object.keys` loses the names, which the schema has checked.
      const named = Object.keys(read.settings) as (keyof typeof read.settings)[];
      const changed = named.filter((name) => read.settings[name] !== undefined && read.settings[name] !== before[name]);
      const result = await change(read.settings);
      return result.ok ? ok({ changed }) : result;
    },
  };
}
