import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron';
import { contract } from '../../preload/contract/contract.ts';
import type { Method } from '../../preload/contract/method.ts';
import type { EventName, EventPayload } from '../../preload/contract/events.ts';
import type { Result } from '../../preload/contract/result.ts';
import { answer, type Handlers } from './answer.ts';

/**
 * Registers every method of the contract. A sender must be the main frame of our window, on one of the application's own pages;
 * everybody else is refused.
 */
export function serveContract(options: {
  handlers: Handlers;
  /** The application's own window, if it is open. */
  trusted: () => WebContents | undefined;
  isOwnPage: (url: string) => boolean;
  report: (error: unknown) => string;
  isLocked: () => boolean;
  /** Is given what answers the page's first question, which may have come already. */
  answerFirst: (answer: (event: IpcMainInvokeEvent, input: unknown) => unknown) => void;
}): void {
  const { handlers, trusted, isOwnPage, report, isLocked, answerFirst } = options;

  const isTrusted = ({ sender, senderFrame }: IpcMainInvokeEvent): boolean =>
    sender === trusted() && senderFrame === sender.mainFrame && isOwnPage(senderFrame.url);

  const groups: Record<string, Record<string, Method>> = contract;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- walked by name, the pairs of input and handler that `Handlers` guarantees are lost; `answer` parses each input before its handler sees it.
  const handlerOf = handlers as Record<string, Record<string, (input: unknown) => Promise<Result<unknown>>>>;
  for (const [group, methods] of Object.entries(groups)) {
    for (const [name, method] of Object.entries(methods)) {
      const handler = handlerOf[group]![name]!;
      const listener = (event: IpcMainInvokeEvent, input: unknown): unknown => {
        if (!isTrusted(event)) throw new Error('refused');
        return answer(method, handler, input, report, isLocked);
      };
      if (method === contract.app.state) answerFirst(listener);
      else ipcMain.handle(`${group}.${name}`, listener);
    }
  }
}

/** Tells the window an event, if there is one. */
export function notify<N extends EventName>(target: WebContents | undefined, name: N, payload: EventPayload<N>): void {
  if (target && !target.isDestroyed()) target.send(name, payload);
}
