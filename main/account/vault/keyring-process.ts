import { z } from 'zod';

/** The id of the profile whose key is meant follows; it names the item. */
export const profileArgument = 'profile=';

/** Tells that process to remove the key instead of giving it. */
export const forgetArgument = 'forget';

/** The one answer of the process that asks the Secret Service. */
export const KeyringAnswer = z.discriminatedUnion('answer', [
  /** The service is there and open. The key is in base64. */
  z.object({ answer: z.literal('key'), key: z.base64() }),
  /** There is no such service on the session bus, or no bus. */
  z.object({ answer: z.literal('absent') }),
  /** The service is there and gave nothing: it is locked and its prompt was dismissed, or it is broken. */
  z.object({ answer: z.literal('refused') }),
  /** The key was removed, as was asked. */
  z.object({ answer: z.literal('forgotten') }),
]);
export type KeyringAnswer = z.infer<typeof KeyringAnswer>;

/** A process that says one thing. Electron's utility process and Node's child process are both of this form. */
type KeyringChildProcess = {
  on: ((event: 'message', listener: (message: unknown) => void) => unknown) &
    ((event: 'exit', listener: () => void) => unknown);
  kill: () => unknown;
};

/** One question to the Secret Service. It may stay unanswered for as long as a prompt is open; `end` closes that. */
export type KeyringQuestion = { answer: Promise<KeyringAnswer>; end: () => void };

/** Asks the Secret Service for the vault's key in a process of its own, which ends with its answer. */
export function askKeyring(start: () => KeyringChildProcess): KeyringQuestion {
  const { promise, resolve } = Promise.withResolvers<KeyringAnswer>();
  const asked = start();
  asked.on('message', (message) => {
    const parsed = KeyringAnswer.safeParse(message);
    resolve(parsed.success ? parsed.data : { answer: 'refused' });
    asked.kill();
  });
  // A process that could not load its library ends without an answer: the next question may find it mended.
  asked.on('exit', () => resolve({ answer: 'refused' }));
  return { answer: promise, end: () => void asked.kill() };
}
