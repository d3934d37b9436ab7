import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron';
import type { z } from 'zod';
import { contract } from '../../preload/contract/contract.ts';
import type { events, EventName } from '../../preload/contract/events.ts';
import type { Result } from '../../preload/contract/result.ts';
import { answer, whileLocked, type Handlers } from './answer.ts';

/** Everything that may call: the main frame of the application's own window. */
type Trusted = () => WebContents | undefined;

/**
 * Registers every call of the contract, and ends every other listener, such as electron-store's, which tells any page
 * where the profile lies. A sender that is not the main frame of our window is refused, and so is one
 * that has navigated away from the application's own pages.
 */
export function serveContract(options: {
  handlers: Handlers;
  trusted: Trusted;
  isOwnPage: (url: string) => boolean;
  report: (error: unknown) => string;
  isLocked: () => boolean;
}): void {
  const { handlers, trusted, isOwnPage, report, isLocked } = options;

  const isTrusted = ({ sender, senderFrame }: IpcMainInvokeEvent): boolean =>
    sender === trusted() && senderFrame === sender.mainFrame && isOwnPage(senderFrame.url);

  ipcMain.removeAllListeners();
  const groups: Record<string, Record<string, { input: z.ZodType }>> = contract;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- walked by name, the pairs of input and handler that `Handlers` guarantees are lost; `answer` parses each input before its handler sees it.
  const handlerOf = handlers as Record<string, Record<string, (input: unknown) => Promise<Result<unknown>>>>;
  for (const [group, calls] of Object.entries(groups)) {
    for (const [name, call] of Object.entries(calls)) {
      const handler = handlerOf[group]![name]!;
      ipcMain.handle(`${group}.${name}`, (event, input: unknown) => {
        if (!isTrusted(event)) throw new Error('refused');
        return answer(call, handler, input, report, () => isLocked() && !whileLocked.has(`${group}.${name}`));
      });
    }
  }
}

/** Tells the window an event, if there is one. */
export function notify<N extends EventName>(
  target: WebContents | undefined,
  name: N,
  payload: z.output<(typeof events)[N]>,
): void {
  if (target && !target.isDestroyed()) target.send(name, payload);
}
