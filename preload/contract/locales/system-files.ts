import { textFiles } from './files.ts';

/** The texts of menus, notifications and system dialogs. A bundle gets the value instead of this module. */
export const systemFiles = textFiles('system');
