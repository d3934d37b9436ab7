import { accountScenes } from './scenes/account.ts';
import { scenes as builtInServer } from './scenes/built-in-server.ts';
import { scenes as calls } from './scenes/calls.ts';
import { scenes as checks } from './scenes/checks.ts';
import { formScenes } from './scenes/forms.ts';
import { scenes as lockAndStorage } from './scenes/lock-and-storage.ts';
import { secondFactorScenes } from './scenes/second-factor.ts';
import { dialogScenes } from './scenes/server-dialogs.ts';
import { serverScenes } from './scenes/servers.ts';
import { sessionScenes } from './scenes/sessions.ts';
import { scenes as shell } from './scenes/shell.ts';
import type { Scene } from './scene.ts';

/** Every screen in the states that a person may come to see, by its group. */
export const scenesOf = {
  session: [...accountScenes, ...secondFactorScenes, ...formScenes],
  shell,
  calls,
  checks,
  'built-in-server': builtInServer,
  servers: [...serverScenes, ...sessionScenes, ...dialogScenes],
  'lock-and-storage': lockAndStorage,
} satisfies Record<string, readonly Scene[]>;

export type SceneGroup = keyof typeof scenesOf;

/** Those of all groups. */
export const scenes: readonly Scene[] = Object.values(scenesOf).flat();
