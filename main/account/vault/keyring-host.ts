import { randomBytes } from 'node:crypto';
import { AsyncEntry } from '@napi-rs/keyring';
import { forgetArgument, profileArgument, type KeyringAnswer } from './keyring-process.ts';
import { keyBytes } from './sealed-box.ts';

/*
 * This is the program of a process of its own that asks the Secret Service for the vault's key. The question can wait
 * for a person at a prompt, for ever, and a process can be ended.
 */

/** The names under which every version of Llavero finds its key; the profiles of one user have one item each. */
const service = 'app.llavero.desktop';
const itemOf = (profile: string): string => `vault key ${profile}`;

// The item is pinned to the Secret Service. The library would else fall back to the kernel's keyring, which a restart
// empties.
const entryOf = (item: string): AsyncEntry => new AsyncEntry(service, item, { linux: { store: 'secret-service' } });

/** Milliseconds within which a bus says that nobody is there. The library waits two seconds for somebody who is. */
const noServiceThresholdMs = 1_000;

/**
 * Finds the item of a profile, or nothing where there is no bus and nobody on it. The texts
 * of such errors differ, so none is looked at. It waits for a service that is there and busy, as at the start of a desktop.
 */
function findItem(profile: string): AsyncEntry | undefined {
  for (;;) {
    const asked = performance.now();
    try {
      return entryOf(itemOf(profile));
    } catch {
      if (performance.now() - asked < noServiceThresholdMs) return undefined;
    }
  }
}

async function ask(): Promise<KeyringAnswer> {
  const profile = process.argv.find((argument) => argument.startsWith(profileArgument));
  if (profile === undefined) return { answer: 'refused' };
  const entry = findItem(profile.slice(profileArgument.length));
  if (!entry) return { answer: 'absent' };
  try {
    if (process.argv.includes(forgetArgument)) {
      await entry.deletePassword();
      return { answer: 'forgotten' };
    }
    const known = await entry.getPassword();
    if (known !== undefined && known !== null) return { answer: 'key', key: known };
    const key = randomBytes(keyBytes).toString('base64');
    await entry.setPassword(key);
    // An item that is not there is answered for a locked keyring too, and only reading it back proves more.
    return (await entry.getPassword()) === key ? { answer: 'key', key } : { answer: 'refused' };
  } catch {
    return { answer: 'refused' };
  }
}

const answer = await ask();
// Electron's utility processes have a port, Node's children a channel.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Electron's, which has no origin.
if (process.parentPort) process.parentPort.postMessage(answer);
else process.send?.(answer);
