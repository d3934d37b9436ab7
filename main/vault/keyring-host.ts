import { randomBytes } from 'node:crypto';
import { AsyncEntry } from '@napi-rs/keyring';
import { forgetArgument, profileArgument, type KeyringAnswer } from './keyring-answer.ts';
import { keyBytes } from './sealed-box.ts';

/*
 * The program of a process of its own that asks the Secret Service for the vault's key: the question can wait for a
 * person at a prompt, for ever, and a process can be ended.
 */

/** The names under which every version of Llavero finds its key; the profiles of one user have one item each. */
const service = 'app.llavero.desktop';
/** The item of before, which all profiles shared. It is read and never removed: another profile may still need it. */
const sharedItem = 'vault key';

// Pinned to the Secret Service: the library would otherwise fall back to the kernel's keyring, which a restart empties.
const entryOf = (item: string): AsyncEntry => new AsyncEntry(service, item, { linux: { store: 'secret-service' } });

async function ask(): Promise<KeyringAnswer> {
  const profile = process.argv.find((argument) => argument.startsWith(profileArgument));
  if (profile === undefined) return { answer: 'refused' };
  let entry: AsyncEntry;
  let shared: AsyncEntry;
  try {
    entry = entryOf(`${sharedItem} ${profile.slice(profileArgument.length)}`);
    shared = entryOf(sharedItem);
  } catch {
    // No bus, or nobody on it: the texts of such errors differ, so none is looked at.
    return { answer: 'absent' };
  }
  try {
    if (process.argv.includes(forgetArgument)) {
      await entry.deletePassword();
      return { answer: 'forgotten' };
    }
    const known = await entry.getPassword();
    if (known !== null) return { answer: 'key', key: known };
    // An item that is not there is answered for a locked keyring too: only writing it and reading it back proves more.
    const made = (await shared.getPassword()) ?? randomBytes(keyBytes).toString('base64');
    await entry.setPassword(made);
    return (await entry.getPassword()) === made ? { answer: 'key', key: made } : { answer: 'refused' };
  } catch {
    return { answer: 'refused' };
  }
}

const answer = await ask();
// Electron's utility processes have a port, Node's children a channel.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Electron's, which has no origin.
if (process.parentPort) process.parentPort.postMessage(answer);
else process.send?.(answer);
