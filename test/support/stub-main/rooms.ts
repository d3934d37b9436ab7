import { accountScenes } from './rooms/account.ts';
import { scenes as builtInServer } from './rooms/built-in-server.ts';
import { scenes as calls } from './rooms/calls.ts';
import { scenes as contractRun } from './rooms/contract-run.ts';
import { formScenes } from './rooms/forms.ts';
import { scenes as lockAndStorage } from './rooms/lock-and-storage.ts';
import { dialogScenes } from './rooms/server-dialogs.ts';
import { serverScenes } from './rooms/servers.ts';
import { sessionScenes } from './rooms/sessions.ts';
import { scenes as shell } from './rooms/shell.ts';
import type { Scene } from './scene.ts';

/** Every screen in the states that a person may come to see, by its room. */
export const scenesOf = {
  session: [...accountScenes, ...formScenes],
  shell,
  calls,
  'contract-run': contractRun,
  'built-in-server': builtInServer,
  servers: [...serverScenes, ...sessionScenes, ...dialogScenes],
  'lock-and-storage': lockAndStorage,
} satisfies Record<string, readonly Scene[]>;

export type Room = keyof typeof scenesOf;

/** Those of all rooms. */
export const scenes: readonly Scene[] = Object.values(scenesOf).flat();
