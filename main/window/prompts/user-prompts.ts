import { maskEmails } from '../../../preload/contract/mask-emails.ts';
import type { Language } from '../../../preload/contract/settings.ts';
import type { Result } from '../../../preload/contract/result.ts';
import type { Dialogs, FileDialogPurpose, DialogQuestion } from '../../../preload/contract/dialogs.ts';
import { createPromptGuard } from './prompt-guard.ts';

/** What main asks the person itself, and what it sees them do: a page that was taken over can do neither for them. */
export function createUserPrompts(options: {
  dialogs: Pick<Dialogs, 'chooseFile' | 'confirm'>;
  language: () => Language;
  /** Whether others see the screen. */
  isPresenting: () => boolean;
  isLocked: () => boolean;
  /** Is told when a question of the system is opened and when it is answered. */
  onQuestion: (isOpen: boolean) => void;
}) {
  const { dialogs, language, isPresenting, isLocked, onQuestion } = options;
  const questions = createPromptGuard({
    confirm: (question) => dialogs.confirm(isPresenting() ? masked(question) : question, language()),
    isLocked,
    onOpen: onQuestion,
  });

  return {
    /** Main's own question. Succeeds when the person agreed. */
    ask: (question: DialogQuestion): Promise<Result<null>> => questions.ask(question),

    /** Asks about places that main never sent to. */
    confirmOrigins: (question: DialogQuestion, places: readonly string[]): Promise<Result<null>> =>
      questions.confirmOrigins(question, places),

    /** Asks about a link from outside. Who said no to one may be asked about the next, which no page makes. */
    confirmLink(question: DialogQuestion): Promise<Result<null>> {
      questions.allowAgain('open-link');
      return questions.ask(question);
    },

    /** Undefined when the person chose nothing. */
    async chooseFile(purpose: FileDialogPurpose): Promise<string | undefined> {
      const file = await questions.chooseFile(() => dialogs.chooseFile(purpose, language()));
      if (purpose === 'import' && file !== undefined) questions.allowAgain('imported-proxies');
      return file;
    },

    /** The person pressed a key or a button of the mouse. */
    onUserActivation: (): void => questions.onUserActivation(),

    /** The person acted in a menu of the system. */
    onMenuActivation: (): void => questions.onMenuActivation(),
  };
}

/** An address that the person agrees to is shown whole: who cannot read it cannot judge it. */
const masked = (question: DialogQuestion): DialogQuestion =>
  question.kind === 'copy-token' ? { ...question, account: maskEmails(question.account) } : question;
