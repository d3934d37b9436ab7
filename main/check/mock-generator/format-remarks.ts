import { MockRemark } from '../../../preload/contract/mock-details.ts';
import { formatRemark } from '../../../preload/contract/locales/format-remark.ts';
import { createReportFormatter } from '../../../preload/contract/locales/report-formatter.ts';
import { formatPlainText } from '../reports/document.ts';
import { createSecretNames } from '../../client/secrets/named-secrets.ts';
import type { MockDefinition } from '../../service/mock/mock-definition.ts';
import type { GenerationProblem } from './generate-mock.ts';

/** Returns the remarks that are known here: a model may come from another version. */
export const parseRemarks = (remarks: MockDefinition['remarks']): MockRemark[] =>
  remarks.flatMap((each) => {
    const read = MockRemark.safeParse(each);
    return read.success ? [read.data] : [];
  });

/** Says why there is no model of a run. */
export function formatGenerationProblem(
  { problem, why }: { problem: GenerationProblem; why?: string },
  language: string,
): string {
  const sentence = createReportFormatter(language).texts('model')(`notLearned.${problem}`);
  return why === undefined ? sentence : `${sentence} ${why}`;
}

/** Says in sentences of a language what a model notes of itself, then what was not measured. */
export function formatRemarks(
  { remarks, notMeasured }: Pick<MockDefinition, 'remarks' | 'notMeasured'>,
  language: string,
): string[] {
  const formatter = createReportFormatter(language);
  const { text } = createSecretNames();
  return parseRemarks([...remarks, ...notMeasured]).map((each) => formatPlainText(formatRemark(formatter, each), text));
}
