import { expect, it } from 'vitest';
import { structureOf } from '../../../main/check/mock-generator/infer-answers.ts';
import { parseExactJson } from '../../../main/check/mock-generator/analyzed-calls.ts';

const structure = (text: string): string => {
  const json = parseExactJson(text);
  if (json === undefined) throw new Error(`not JSON: ${text}`);
  return JSON.stringify(structureOf(json));
};

it('two answers are of one kind where their names, kinds and numbers of texts are the same', () => {
  const short = structure('{"status": 400, "password": ["This password is too short."]}');
  expect(structure('{"password": ["Zu kurz."], "status": 12345678901234567890}')).toBe(short);
  const others = [
    '{"status": 400, "password": ["This password is too short.", "This password is too common."]}',
    '{"status": 400, "pass": ["This password is too short."]}',
    '{"status": "400", "password": ["This password is too short."]}',
    '{"status": 400, "password": "This password is too short."}',
  ];
  expect(others.map(structure).filter((each) => each === short)).toEqual([]);
});
