import { createReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import { memoizeByLocale } from '../format.ts';

/** Formatters of report texts, in the language of the window. */
export const reportTexts = memoizeByLocale(createReportFormatter);
