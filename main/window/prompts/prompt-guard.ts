import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { DialogQuestion } from '../../../preload/contract/dialogs.ts';
import { createOriginPromptLimit } from './origin-prompt-limit.ts';

/**
 * Main's own questions, so that they cannot be used as a weapon: there is one at a time, and after a refusal none of
 * that kind until the person acts in a menu of the system, which no page can do; after one about a connection, until
 * they press a key or a button. Dialogs for files wait for each other
 * and for questions, too. After a cancelled one, the next needs a press of the person; after a refused place, so does a
 * question about that place.
 */
export function createPromptGuard(options: {
  confirm: (question: DialogQuestion) => Promise<boolean>;
  isLocked: () => boolean;
  /** Is told when a question of the system is opened and when it is answered. */
  onOpen: (isOpen: boolean) => void;
  /** Milliseconds. */
  now?: () => number;
}) {
  let isOpen = false;
  const refused = new Set<DialogQuestion['kind']>();
  let fileRefused = false;
  const places = createOriginPromptLimit(options.now ?? (() => performance.now()));

  async function alone<T>(ask: () => Promise<T>): Promise<T> {
    isOpen = true;
    options.onOpen(true);
    try {
      return await ask();
    } finally {
      isOpen = false;
      options.onOpen(false);
    }
  }

  return {
    /** Succeeds when the person agreed. An answer that comes while the application is locked counts for nothing. */
    async ask(question: DialogQuestion): Promise<Result<null>> {
      if (isOpen) return fail({ kind: 'not-now' });
      if (refused.has(question.kind)) return fail({ kind: 'not-asked' });
      const agreed = await alone(() => options.confirm(question));
      if (options.isLocked()) return fail({ kind: 'cancelled' });
      if (agreed) return ok(null);
      refused.add(question.kind);
      return fail({ kind: 'cancelled' });
    },

    /** Asks about places that main never sent to. */
    async confirmOrigins(question: DialogQuestion, asked: readonly string[]): Promise<Result<null>> {
      if (options.isLocked()) return fail({ kind: 'locked' });
      if (isOpen) return fail({ kind: 'not-now' });
      if (!places.mayAsk(asked)) return fail({ kind: 'not-agreed' });
      places.recordPrompt();
      const agreed = (await alone(() => options.confirm(question))) && !options.isLocked();
      if (!agreed) places.recordRefusal(asked);
      return agreed ? ok(null) : fail({ kind: 'not-agreed' });
    },

    /** Opens a dialog for a file, which answers undefined when nothing was chosen. */
    async chooseFile(open: () => Promise<string | undefined>): Promise<string | undefined> {
      if (isOpen || fileRefused) return undefined;
      const file = await alone(open);
      fileRefused = file === undefined;
      return options.isLocked() ? undefined : file;
    },

    /** The person acted in a menu of the system. */
    onMenuActivation(): void {
      refused.clear();
      fileRefused = false;
      places.onUserActivation();
    },

    /** The person pressed a key or a button of the mouse. */
    onUserActivation(): void {
      fileRefused = false;
      // After a no to one of these, the person corrects the form and presses again.
      refused.delete('connection');
      refused.delete('try-made-up');
      places.onUserActivation();
    },

    /** The person did what makes a question of this kind another one, such as to choose a file. */
    allowAgain: (kind: DialogQuestion['kind']): void => void refused.delete(kind),
  };
}
