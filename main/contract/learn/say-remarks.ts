import { ModelRemark } from '../../../preload/contract/server-models.ts';
import { sayRemark } from '../../../preload/contract/words/say-remark.ts';
import { reportWords } from '../../../preload/contract/words/say-report.ts';
import { plainText } from '../reports/document.ts';
import { createSecretNames } from '../../client/secrets/named-secrets.ts';
import type { ServerModel } from '../../service/double/model.ts';

/** Returns the remarks that are known here, and the sentences of older models. */
export const knownRemarks = (remarks: ServerModel['remarks']): (ModelRemark | string)[] =>
  remarks.flatMap((each): (ModelRemark | string)[] => {
    if (typeof each === 'string') return [each];
    const read = ModelRemark.safeParse(each);
    return read.success ? [read.data] : [];
  });

/** Says in sentences of a language what a model notes of itself, then what was not measured. */
export function remarksOf(
  { remarks, notMeasured }: Pick<ServerModel, 'remarks' | 'notMeasured'>,
  language: string,
): string[] {
  const say = reportWords(language);
  const { text } = createSecretNames();
  return knownRemarks([...remarks, ...notMeasured]).map((each) => plainText(sayRemark(say, each), text));
}
