import { textFiles } from './files.ts';

/** The texts of reports and of the remarks of mocks. A bundle gets the value instead of this module. */
export const reportFiles = textFiles('reports');
