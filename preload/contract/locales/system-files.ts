import { textFiles } from './files.ts';

/** The words of menus, notifications and dialogs of the system. A bundle gets the value instead of this module. */
export const systemFiles = textFiles('system');
