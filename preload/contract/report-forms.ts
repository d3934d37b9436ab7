/** The forms in which the report of a contract run is written, in the order in which people are offered them. */
export const reportForms = ['markdown', 'html', 'json', 'junit'] as const;
export type ReportForm = (typeof reportForms)[number];
