import type { WindowState } from '../preload/contract/models.ts';
import { createConfigStore } from './account/config/config-store.ts';
import { previewConfig } from './account/config/preview-config.ts';
import { previewPin } from './account/lock/preview-pin.ts';
import { createFileNotices } from './files/file-notices.ts';
import { createInitialState } from './initial-state.ts';
import type { InitialPorts } from './ports.ts';

/**
 * Returns the state for the first frame of a profile whose files are as they were when they were validated. It writes
 * nothing, and nothing but the frame follows from it.
 * @returns undefined if the files must be validated first
 */
export function previewState(
  folder: string,
  ports: Pick<InitialPorts, 'about' | 'systemLanguage' | 'demoEmail'>,
): WindowState | undefined {
  try {
    const config = previewConfig(folder);
    const pin = previewPin(folder);
    if (!config || !pin) return undefined;
    const unwritten = createConfigStore({ config, set: () => false }, () => undefined);
    const unheard = { notices: createFileNotices(), notify: () => undefined };
    return createInitialState({ ...ports, config: unwritten, pin, ...unheard }).state.shown();
  } catch {
    // A part has another type.
    return undefined;
  }
}
