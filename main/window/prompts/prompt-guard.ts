import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { DialogQuestion } from '../../../preload/contract/dialogs.ts';
import { createOriginPromptLimit } from './origin-prompt-limit.ts';

/**
 * Limits main's own dialogs, so that a page that was taken over cannot flood the user with them: one is open at a time.
 * After a refusal, none of that kind is shown until the user acts in a native menu, or, for a connection, until user
 * activation. After a cancelled file dialog or a refused origin, the next needs user activation, too.
 */
export function createPromptGuard(options: {
  confirm: (question: DialogQuestion) => Promise<boolean>;
  isLocked: () => boolean;
  onOpen: (isOpen: boolean) => void;
  /** Milliseconds. */
  now?: () => number;
}) {
  let isOpen = false;
  const refused = new Set<DialogQuestion['kind']>();
  let fileRefused = false;
  const originLimit = createOriginPromptLimit(options.now ?? (() => performance.now()));

  async function exclusively<T>(open: () => Promise<T>): Promise<T> {
    isOpen = true;
    options.onOpen(true);
    try {
      return await open();
    } finally {
      isOpen = false;
      options.onOpen(false);
    }
  }

  return {
    /** Succeeds if the user agreed. An answer while the application is locked does not count. */
    ask: async (question: DialogQuestion): Promise<Result<null>> => {
      if (isOpen) return fail({ kind: 'not-now' });
      if (refused.has(question.kind)) return fail({ kind: 'not-asked' });
      const agreed = await exclusively(() => options.confirm(question));
      if (options.isLocked()) return fail({ kind: 'cancelled' });
      if (agreed) return ok(null);
      refused.add(question.kind);
      return fail({ kind: 'cancelled' });
    },

    confirmOrigins: async (question: DialogQuestion, origins: readonly string[]): Promise<Result<null>> => {
      if (options.isLocked()) return fail({ kind: 'locked' });
      if (isOpen) return fail({ kind: 'not-now' });
      if (!originLimit.mayAsk(origins)) return fail({ kind: 'not-agreed' });
      originLimit.recordPrompt();
      const agreed = (await exclusively(() => options.confirm(question))) && !options.isLocked();
      if (!agreed) originLimit.recordRefusal(origins);
      return agreed ? ok(null) : fail({ kind: 'not-agreed' });
    },

    /** Undefined if no file was chosen. */
    chooseFile: async (open: () => Promise<string | undefined>): Promise<string | undefined> => {
      if (isOpen || fileRefused) return undefined;
      const file = await exclusively(open);
      fileRefused = file === undefined;
      return options.isLocked() ? undefined : file;
    },

    onMenuActivation: (): void => {
      refused.clear();
      fileRefused = false;
      originLimit.onUserActivation();
    },

    onUserActivation: (): void => {
      fileRefused = false;
      // After refusing one of these, the user corrects the form and submits it again.
      refused.delete('connection');
      refused.delete('try-made-up');
      originLimit.onUserActivation();
    },

    /** For a question that the user has caused in another way, such as by choosing a file. */
    allowAgain: (kind: DialogQuestion['kind']): void => void refused.delete(kind),
  };
}
