import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ruleText } from '../../../renderer/rule-text.ts';
import { inEnglish, inSpanish } from '../../support/in-language.ts';

const client = path.resolve(import.meta.dirname, '../../../main/client');

/** Every text that stands as a rule in the reader, with names filled in. */
const rules = globSync(['reading/*.ts', 'read-answer.ts'], { cwd: client }).flatMap((file) =>
  readFileSync(path.join(client, file), 'utf8')
    .split('\n')
    .filter((line) => /\brule: /.test(line))
    .flatMap((line) => Array.from(line.slice(line.indexOf('rule: ')).matchAll(/'([^']+)'|"([^"]+)"|`([^`]+)`/g)))
    .map(([, single, double, template]) => (single ?? double ?? template ?? '').replace(/\$\{\w+\}/, 'access_token'))
    .filter((text) => text.includes(' ')),
);

describe('a rule in words', () => {
  it('is found in the reader', () => {
    expect(rules.length).toBeGreaterThan(30);
  });

  it.each([...new Set(rules)])('has its Spanish: %s', (rule) => {
    expect(inEnglish(() => ruleText(rule))).toBe(rule);
    expect(inSpanish(() => ruleText(rule))).not.toBe(rule);
    expect(inSpanish(() => ruleText(rule))).not.toContain('*');
  });

  it("keeps the server's own name, whatever is in it", () => {
    expect(inSpanish(() => ruleText('a field named $& *'))).toBe('un campo llamado $& *');
  });
});
