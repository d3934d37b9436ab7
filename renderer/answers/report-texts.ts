import { reportWords } from '../../preload/contract/words/say-report.ts';
import { cachedFormat } from '../cached-format.ts';

/** Returns the functions that write the parts of a report in the language of the window. */
export const reportTexts = cachedFormat(reportWords);
