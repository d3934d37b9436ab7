import { expect, it } from 'vitest';
import { inferenceTable } from '../../../main/check/mock-generator/inference-table.ts';
import { MockDefinition } from '../../../main/service/mock/mock-definition.ts';

it('has one row for each rule of a mock', () => {
  const inferred = inferenceTable.flatMap(({ infers }) => infers);
  const parts = [
    'lengthBounds',
    'repeatedEmails',
    'token',
    'scenarios',
    'accountRules',
    'answers',
    'preflight',
    'notMeasured',
  ];
  expect(inferred.toSorted()).toEqual([...Object.keys(MockDefinition.shape.rules.shape), ...parts].toSorted());
});
