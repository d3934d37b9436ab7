import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron';
import type { EventName, EventPayload, Handlers } from '../../../preload/contract/contract.ts';
import { methodNames } from '../../../preload/contract/channels.ts';
import type { Result } from '../../../preload/contract/result.ts';

/**
 * Registers every method of the contract for the main frame of our window on the application's own page. Other senders
 * are refused. A result is sent as an event, so that the events before it arrive before it.
 */
export function registerIpcHandlers(options: {
  /** The methods that the page calls for its first frame, without an input. */
  first: Pick<Handlers['app'], 'state' | 'painted'>;
  rest: (name: string, input: unknown) => Promise<Result<unknown>>;
  trusted: () => WebContents | undefined;
  isOwnPage: (url: string) => boolean;
  /** Takes the handler of the page's first call, which may have come already. */
  answerFirst: (answer: (event: IpcMainInvokeEvent, id: unknown, input: unknown) => unknown) => void;
}): void {
  const { first, rest, trusted, isOwnPage, answerFirst } = options;

  const isTrusted = ({ sender, senderFrame }: IpcMainInvokeEvent): boolean =>
    sender === trusted() && senderFrame === sender.mainFrame && isOwnPage(senderFrame.url);

  const answer = (name: string, input: unknown): unknown => {
    if (name === 'app.state' && input === undefined) return first.state();
    if (name === 'app.painted' && input === undefined) return first.painted();
    return rest(name, input);
  };
  for (const name of methodNames) {
    const listener = async (event: IpcMainInvokeEvent, id: unknown, input: unknown): Promise<void> => {
      if (!isTrusted(event)) throw new Error('refused');
      sendEvent(event.sender, 'app.answered', { id, result: await answer(name, input) });
    };
    if (name === 'app.state') answerFirst(listener);
    else ipcMain.handle(name, listener);
  }
}

/** Does nothing if the window is closed. */
export function sendEvent<N extends EventName>(
  target: WebContents | undefined,
  name: N,
  payload: EventPayload<N>,
): void {
  if (target && !target.isDestroyed()) target.send(name, payload);
}
