import type { Settings } from '../../preload/contract/settings.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import type { ConfigStore } from './config/config-store.ts';
import type { Handlers } from '../../preload/contract/contract.ts';
import type { CredentialStore } from './sessions/credential-store.ts';
import type { AppStateHolder } from './state/app-state.ts';

type SettingName = keyof Settings;
type Change = { [N in SettingName]?: Settings[N] | undefined };

/** The others, such as when to lock, cannot be changed from the locked window. */
const safeWhileLocked: ReadonlySet<string> = new Set<SettingName>(['language', 'theme']);

/** @param options.onChanged applies them to what does not follow the state: the menu and the native theme */
export function settingsHandlers(options: {
  config: ConfigStore;
  state: AppStateHolder;
  credentials: Pick<CredentialStore, 'setClearOnQuit'>;
  onChanged: () => void;
}): Handlers['settings'] {
  const { config, state, credentials, onChanged } = options;

  async function change(patch: Change): Promise<Result<null>> {
    const changes = Object.entries(patch).filter(([, value]) => value !== undefined);
    if (state.isLocked() && changes.some(([name]) => !safeWhileLocked.has(name))) return fail({ kind: 'locked' });
    const { settings: before } = config.get();
    const settings: Settings = { ...before, ...Object.fromEntries(changes) };
    config.change({ settings });
    onChanged();
    if (settings.clearOnQuit !== before.clearOnQuit) await credentials.setClearOnQuit(settings.clearOnQuit);
    return ok(null);
  }

  return {
    change,
  };
}
