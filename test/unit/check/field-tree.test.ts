import { expect, it } from 'vitest';
import { fieldTree, type FieldNode } from '../../../preload/contract/field-tree.ts';

const field = (path: string, secret = false) => ({ path, type: 'string', secret }) as const;
const outline = (nodes: readonly FieldNode[]): unknown[] =>
  nodes.map(({ name, secret, fields }) => (fields.length > 0 ? [name, outline(fields)] : secret ? `${name}!` : name));

it('puts the fields of an answer into those that they stand in, also where these were not named', () => {
  const tree = fieldTree([
    field('data.token', true),
    field('data.user.id'),
    field('data'),
    field('body[0].email'),
    field('body[0]'),
    field('odd name.with: signs'),
  ]);
  expect(outline(tree)).toEqual([
    ['data', ['token!', ['user', ['id']]]],
    ['body', [['[0]', ['email']]]],
    'odd name.with: signs',
  ]);
  expect(tree.map(({ type }) => type)).toEqual(['string', undefined, 'string']);
});
