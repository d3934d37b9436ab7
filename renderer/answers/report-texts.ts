import { reportWords } from '../../preload/contract/words/say-report.ts';
import { memoizeByLocale } from '../format.ts';

/** Returns the functions that write the parts of a report in the language of the window. */
export const reportTexts = memoizeByLocale(reportWords);
