import { scenesOf } from './scenes.ts';
import type { Scene, Sights } from './scene.ts';
import { sights as builtInServer } from './sights/built-in-server.ts';
import { sights as calls } from './sights/calls.ts';
import { sights as contractRun } from './sights/contract-run.ts';
import { sights as lockAndStorage } from './sights/lock-and-storage.ts';
import { sights as servers } from './sights/servers.ts';
import { sights as session } from './sights/session.ts';
import { sights as shell } from './sights/shell.ts';

const sights: Record<Room, Sights> = {
  session,
  shell,
  calls,
  'contract-run': contractRun,
  'built-in-server': builtInServer,
  servers,
  'lock-and-storage': lockAndStorage,
};

export type Room = keyof typeof scenesOf;

export const rooms = Object.keys(scenesOf) as Room[]; // The keys of an object of ours, which has no others.

/** Every screen in the states that a person may come to see. */
export const scenesIn = (room: Room): readonly Scene[] => [
  ...scenesOf[room],
  ...Object.entries(sights[room]).map(([name, sight]) =>
    Object.assign({ name, size: { width: 1000, height: 700 } }, sight),
  ),
];
