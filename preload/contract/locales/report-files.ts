import { textFiles } from './files.ts';

/** The words of contract reports, and of what a double notes. A bundle gets the value instead of this module. */
export const reportFiles = textFiles('reports');
