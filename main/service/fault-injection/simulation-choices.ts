import {
  accountDefectNames,
  dialectNames,
  faultKindNames,
  seedNames,
  defectNames,
  operations,
} from '../../../preload/contract/names.ts';
import { faultKinds, MOST_COUNT } from './faults.ts';
import { loginExamples } from './login-examples.ts';

/** All faults, defects, dialects and seed sets to choose from, in the order of the help. */
export const simulationChoices = {
  operations: [...operations],
  dialects: [...dialectNames],
  defects: [...defectNames],
  accountDefects: [...accountDefectNames],
  faults: faultKindNames.map((kind) => {
    const { parameter, operations: its = operations } = faultKinds[kind];
    const { least = 0, most = 0, byDefault = 0, isRange = false } = parameter ?? {};
    return { kind, operations: [...its], parameter: parameter && { least, most, byDefault, isRange } };
  }),
  seedSets: [...seedNames],
  mostCount: MOST_COUNT,
  logins: loginExamples,
};
