import type { Settings } from '../../preload/contract/settings.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import type { ConfigStore } from './config/config.ts';
import type { Handlers } from '../../preload/contract/contract.ts';
import type { CredentialStore } from './sessions/credential-store.ts';
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
  credentials: Pick<CredentialStore, 'setClearOnQuit'>;
  onChanged: () => void;
}): Handlers['settings'] {
  const { config, state, credentials, onChanged } = options;

  async function change(patch: Change): Promise<Result<null>> {
    const given = Object.entries(patch).filter(([, value]) => value !== undefined);
    if (state.isLocked() && given.some(([name]) => !safeWhileLocked.has(name))) return fail({ kind: 'locked' });
    const { settings: before } = config.get();
    const settings: Settings = { ...before, ...Object.fromEntries(given) };
    config.change({ settings });
    onChanged();
    if (settings.clearOnQuit !== before.clearOnQuit) await credentials.setClearOnQuit(settings.clearOnQuit);
    return ok(null);
  }

  return {
    change,
  };
}
