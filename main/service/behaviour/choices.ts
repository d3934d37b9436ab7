import { dialects, isDialectName } from './dialects.ts';
import { operations } from '../operations.ts';
import { faultKindNames, faultKinds, MOST_COUNT } from './faults.ts';
import { loginExamples } from './login-examples.ts';
import { seedSets, type SeedName } from '../data/seeds.ts';
import { isWrongName, wrongs } from './wrongs.ts';

const isSeedName = (name: string): name is SeedName => Object.hasOwn(seedSets, name);

/** All that can be chosen of how the service misbehaves on purpose and of what it holds, in the order of the help. */
export const behaviourChoices = {
  operations: [...operations],
  dialects: Object.keys(dialects).filter(isDialectName),
  wrongs: Object.keys(wrongs).filter(isWrongName),
  faults: faultKindNames.map((kind) => {
    const { parameter, operations: its = operations } = faultKinds[kind];
    const { least = 0, most = 0, byDefault = 0, isRange = false } = parameter ?? {};
    return { kind, operations: [...its], parameter: parameter && { least, most, byDefault, isRange } };
  }),
  seedSets: Object.keys(seedSets).filter(isSeedName),
  mostCount: MOST_COUNT,
  logins: loginExamples,
};
