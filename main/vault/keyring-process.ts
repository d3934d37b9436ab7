import { KeyringAnswer } from './keyring-answer.ts';

/** A process that says one thing. Electron's utility process and Node's child process are both of this form. */
export type AnsweringProcess = {
  on: ((event: 'message', listener: (message: unknown) => void) => unknown) &
    ((event: 'exit', listener: () => void) => unknown);
  kill: () => unknown;
};

/** One question to the Secret Service. It may stay unanswered for as long as a prompt is open; `end` closes that. */
export type KeyringQuestion = { answer: Promise<KeyringAnswer>; end: () => void };

/** Asks the Secret Service for the vault's key in a process of its own, which ends with its answer. */
export function askKeyring(start: () => AnsweringProcess): KeyringQuestion {
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
