import { maskEmails } from '../../../preload/contract/mask-emails.ts';
import type { Language } from '../../../preload/contract/settings.ts';
import type { Result } from '../../../preload/contract/result.ts';
import type { Dialogs, FileDialogPurpose, DialogQuestion } from '../../../preload/contract/dialogs.ts';
import { createPromptGuard } from './prompt-guard.ts';

/** Dialogs of main that a page that was taken over can neither answer nor, by pretended activation, repeat. */
export function createUserPrompts(options: {
  dialogs: Pick<Dialogs, 'chooseFile' | 'confirm'>;
  language: () => Language;
  isPresenting: () => boolean;
  isLocked: () => boolean;
  onQuestion: (isOpen: boolean) => void;
}) {
  const { dialogs, language, isPresenting, isLocked, onQuestion } = options;
  const { allowAgain, chooseFile, ...guard } = createPromptGuard({
    confirm: (question) => dialogs.confirm(isPresenting() ? masked(question) : question, language()),
    isLocked,
    onOpen: onQuestion,
  });

  return {
    ...guard,

    /** A refused link does not prevent the question about the next, which no page can cause. */
    confirmLink(question: DialogQuestion): Promise<Result<null>> {
      allowAgain('open-link');
      return guard.ask(question);
    },

    /** Undefined if no file was chosen. */
    async chooseFile(purpose: FileDialogPurpose): Promise<string | undefined> {
      const file = await chooseFile(() => dialogs.chooseFile(purpose, language()));
      if (purpose === 'import' && file !== undefined) allowAgain('import-servers');
      return file;
    },
  };
}

/** An address that the user agrees to is shown whole, since nobody can judge a masked one. */
const masked = (question: DialogQuestion): DialogQuestion =>
  question.kind === 'copy-token' ? { ...question, account: maskEmails(question.account) } : question;
