import type { Language } from '../../preload/contract/models.ts';
import type { Result } from '../../preload/contract/result.ts';
import type { Dialogs, FileDialogPurpose, Question } from '../dialogs.ts';
import { createQuestions } from './questions.ts';
import { createTypedTexts, type Press } from './typed-texts.ts';

/** What main asks the person itself, and what it sees them do: a page that was taken over can do neither for them. */
export function createPerson(options: {
  dialogs: Pick<Dialogs, 'chooseFile' | 'confirm'>;
  language: () => Language;
  isLocked: () => boolean;
  /** Is told when a question of the system is opened and when it is answered. */
  onQuestion: (isOpen: boolean) => void;
}) {
  const { dialogs, language, isLocked, onQuestion } = options;
  const questions = createQuestions({
    confirm: (question) => dialogs.confirm(question, language()),
    isLocked,
    onOpen: onQuestion,
  });
  const typedTexts = createTypedTexts();

  return {
    /** Main's own question. Succeeds when the person agreed. */
    ask: (question: Question): Promise<Result<null>> => questions.ask(question),

    /** Asks about a link from outside. Who said no to one may be asked about the next, which no page makes. */
    askOfLink(question: Question): Promise<Result<null>> {
      questions.linkCame();
      return questions.ask(question);
    },

    /** Undefined when the person chose nothing. */
    async chooseFile(purpose: FileDialogPurpose): Promise<string | undefined> {
      const file = await questions.chooseFile(() => dialogs.chooseFile(purpose, language()));
      if (purpose === 'import' && file !== undefined) questions.choseImport();
      return file;
    },

    /** Whether main saw a text being typed as an address. */
    isTyped: (text: string): boolean => typedTexts.hasAddress(text),

    pressed(press: Press): void {
      questions.pressed();
      typedTexts.pressed(press);
    },

    /** The person acted in a menu of the system. */
    actedInMenu: (): void => questions.actedInMenu(),
    forget: (): void => typedTexts.forget(),
  };
}
