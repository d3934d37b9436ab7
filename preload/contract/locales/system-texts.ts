import { systemFiles } from './system-files.ts';
import { createTranslator } from './create-translator.ts';

/** Returns what says the menus, notifications and dialogs of the system in a language. */
export const systemTexts = createTranslator('system', systemFiles);
