import fs from 'node:fs';
import fsPromises, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import type { Random } from './random.ts';

type DeadlyOptions = {
  /** The folder whose writes count. */
  folder: string;
  /** The write point, counted from 1, at which the process ends itself. A number beyond the last ends it nowhere. */
  dieAt: number;
  /** Whether what was not synced is lost with the process: ends of files, and renames in such a folder. */
  powerCut: boolean;
  random: Random;
};

type Rename = { from: string; to: string; replaced: Buffer | undefined };

type Points = ReturnType<typeof createPoints>;

/** These are the functions of Node as they were, for what this file does itself. */
const real = { ...fs };
const realPromises = { ...fsPromises };

/** Loses the newest renames, and the end of each file that was not synced. */
function cutPower(renames: Rename[], unsynced: Set<string>, random: Random): void {
  // A journal keeps the order of renames, so the newest are lost first.
  for (let lost = random.whole(0, renames.length + 1); lost > 0; lost--) {
    const { from, to, replaced } = renames.pop()!;
    real.writeFileSync(from, real.readFileSync(to));
    if (unsynced.delete(to)) unsynced.add(from);
    if (replaced) real.writeFileSync(to, replaced);
    else real.rmSync(to);
  }
  for (const file of unsynced) {
    const size = real.statSync(file, { throwIfNoEntry: false })?.size;
    if (size !== undefined) real.truncateSync(file, random.whole(0, size + 1));
  }
}

/** Counts the points at which the process can end, ends it at its own, and knows what a power cut would lose. */
function createPoints({ folder, dieAt, powerCut, random }: DeadlyOptions) {
  const unsynced = new Set<string>();
  let renames: Rename[] = [];
  let passed = 0;
  let isDying = false;

  function die(): never {
    isDying = true;
    if (powerCut) cutPower(renames, unsynced, random);
    process.kill(process.pid, 'SIGKILL');
    // The signal is there before the call returns.
    throw new Error('killed');
  }

  /** Answers true when the process is to die in the middle of what comes. */
  function point(hasMiddle = false): boolean {
    if (++passed === dieAt) die();
    return hasMiddle && ++passed === dieAt;
  }

  function renamed(from: string, to: string): void {
    point();
    const replaced = real.existsSync(to) ? real.readFileSync(to) : undefined;
    real.renameSync(from, to);
    renames.push({ from, to, replaced });
    if (unsynced.delete(from)) unsynced.add(to);
    else unsynced.delete(to);
  }

  function synced(file: string | undefined): void {
    if (file === undefined) return;
    point();
    unsynced.delete(file);
    if (real.statSync(file).isDirectory()) renames = renames.filter(({ to }) => path.dirname(to) !== file);
  }

  return {
    passed: () => passed,
    die,
    point,
    // Node's own functions call each other by name, so cutting the power goes through the changed ones, too.
    isOurs: (file: unknown): file is string => !isDying && typeof file === 'string' && file.startsWith(folder),
    opened: (file: string): void => void unsynced.add(file),
    renamed,
    synced,
  };
}

// Both kinds of content make a buffer; the overloads only take one of them.
const half = (content: string | Uint8Array): Buffer => {
  const bytes = Buffer.from(content as string);
  return bytes.subarray(0, bytes.length >> 1);
};

const writes = (flags: unknown): boolean => typeof flags === 'string' && flags !== 'r';

function changeSyncFunctions({ die, isOurs, opened, point, renamed, synced }: Points): void {
  const files = new Map<number, string>();
  fs.openSync = (file, flags, mode) => {
    if (isOurs(file) && writes(flags)) point();
    const handle = real.openSync(file, flags, mode);
    if (isOurs(file)) files.set(handle, file);
    if (isOurs(file) && writes(flags)) opened(file);
    return handle;
  };
  fs.closeSync = (handle) => {
    files.delete(handle);
    real.closeSync(handle);
  };
  // The overloads differ in what only the real function looks at.
  fs.writeSync = ((handle: number, content: string | Uint8Array, ...rest: []) => {
    if (files.has(handle) && point(true)) {
      real.writeSync(handle, half(content));
      die();
    }
    return real.writeSync(handle, content as string, ...rest);
  }) as typeof fs.writeSync;
  fs.fsyncSync = (handle) => {
    synced(files.get(handle));
    real.fsyncSync(handle);
  };
  fs.renameSync = (from, to) => {
    if (isOurs(from) && isOurs(to)) renamed(from, to);
    else real.renameSync(from, to);
  };
  fs.chmodSync = (file, mode) => {
    if (isOurs(file)) point();
    real.chmodSync(file, mode);
  };
}

function changePromises({ die, isOurs, opened, point, renamed, synced }: Points): void {
  const handles = new WeakMap<FileHandle, string>();
  let isPrepared = false;
  /** All handles share their methods, and only a handle leads to them. */
  function prepare(handle: FileHandle): void {
    if (isPrepared) return;
    isPrepared = true;
    const methods = Object.getPrototypeOf(handle) as FileHandle;
    // oxlint-disable-next-line typescript/unbound-method -- both are called with their handle below
    const { writeFile, sync } = methods;
    methods.writeFile = async function (this: FileHandle, content, options) {
      if (handles.has(this) && point(true)) {
        await writeFile.call(this, half(content as string | Uint8Array));
        die();
      }
      return writeFile.call(this, content, options);
    };
    methods.sync = function (this: FileHandle) {
      synced(handles.get(this));
      return sync.call(this);
    };
  }
  fsPromises.open = async (file, flags, mode) => {
    if (isOurs(file) && writes(flags)) point();
    const handle = await realPromises.open(file, flags, mode);
    prepare(handle);
    if (isOurs(file)) handles.set(handle, file);
    if (isOurs(file) && writes(flags)) opened(file);
    return handle;
  };
  fsPromises.rename = async (from, to) => {
    if (isOurs(from) && isOurs(to)) renamed(from, to);
    else await realPromises.rename(from, to);
  };
  fsPromises.rm = async (file, options) => {
    if (isOurs(file)) point();
    await realPromises.rm(file, options);
  };
}

/**
 * Makes every write of this process below `folder` a point at which it can end without warning: before each opening for
 * writing, write, sync, rename, change of mode and removal, and in the middle of each write. Call it before the code on
 * trial is imported.
 * @returns what answers how many points were passed so far
 */
export function makeWritesDeadly(options: DeadlyOptions): () => number {
  const points = createPoints(options);
  changeSyncFunctions(points);
  changePromises(points);
  syncBuiltinESMExports();
  return points.passed;
}
