import { fail, ok, type Result } from '../../preload/contract/result.ts';
import type { Question } from '../dialogs.ts';

/**
 * Main's own questions, so that they cannot be used as a weapon: there is one at a time, and after a refusal none of
 * that kind until the person acts in a menu of the system, which no page can do. Dialogs for files wait for each other
 * and for questions, too. After one that was cancelled there is none until the person presses a key or a button.
 */
export function createQuestions(options: {
  confirm: (question: Question) => Promise<boolean>;
  isLocked: () => boolean;
  /** Is told when a question of the system is opened and when it is answered. */
  onOpen: (isOpen: boolean) => void;
}) {
  let isOpen = false;
  const refused = new Set<Question['kind']>();
  let fileRefused = false;

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
    async ask(question: Question): Promise<Result<null>> {
      if (isOpen) return fail({ kind: 'not-now' });
      if (refused.has(question.kind)) return fail({ kind: 'not-asked' });
      const agreed = await alone(() => options.confirm(question));
      if (options.isLocked()) return fail({ kind: 'cancelled' });
      if (agreed) return ok(null);
      refused.add(question.kind);
      return fail({ kind: 'cancelled' });
    },

    /** Opens a dialog for a file, which answers undefined when nothing was chosen. */
    async chooseFile(open: () => Promise<string | undefined>): Promise<string | undefined> {
      if (isOpen || fileRefused) return undefined;
      const file = await alone(open);
      fileRefused = file === undefined;
      return options.isLocked() ? undefined : file;
    },

    /** The person acted in a menu of the system. */
    actedInMenu(): void {
      refused.clear();
      fileRefused = false;
    },

    /** The person pressed a key or a button of the mouse. */
    pressed(): void {
      fileRefused = false;
    },

    /** A link came from outside of the window. */
    linkCame(): void {
      refused.delete('open-link');
    },

    /** The person chose a file to be imported, so that what is in it may be asked about. */
    choseImport(): void {
      refused.delete('imported-proxies');
    },
  };
}
