import { ModelRemark } from '../../../preload/contract/server-models.ts';
import { sayRemark } from '../../../preload/contract/words/say-remark.ts';
import { reportWords } from '../../../preload/contract/words/say-report.ts';
import { formatPlainText } from '../reports/document.ts';
import { createSecretNames } from '../../client/secrets/named-secrets.ts';
import type { MockDefinition } from '../../service/double/model.ts';
import type { GenerationProblem } from './learn.ts';

/** Returns the remarks that are known here: a model may come from another version. */
export const parseRemarks = (remarks: MockDefinition['remarks']): ModelRemark[] =>
  remarks.flatMap((each) => {
    const read = ModelRemark.safeParse(each);
    return read.success ? [read.data] : [];
  });

/** Says why there is no model of a run. */
export function formatGenerationProblem(
  { problem, why }: { problem: GenerationProblem; why?: string },
  language: string,
): string {
  const sentence = reportWords(language).texts('model')(`notLearned.${problem}`);
  return why === undefined ? sentence : `${sentence} ${why}`;
}

/** Says in sentences of a language what a model notes of itself, then what was not measured. */
export function formatRemarks(
  { remarks, notMeasured }: Pick<MockDefinition, 'remarks' | 'notMeasured'>,
  language: string,
): string[] {
  const say = reportWords(language);
  const { text } = createSecretNames();
  return parseRemarks([...remarks, ...notMeasured]).map((each) => formatPlainText(sayRemark(say, each), text));
}
