import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startI18n } from '../../../renderer/i18n.ts';
import { sayRule } from '../../../renderer/say-rule.ts';

const english = await startI18n('en');
const spanish = await startI18n('es');
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
    expect(sayRule(rule, english)).toBe(rule);
    expect(sayRule(rule, spanish)).not.toBe(rule);
    expect(sayRule(rule, spanish)).not.toContain('*');
  });

  it("keeps the server's own name, whatever is in it", () => {
    expect(sayRule('a field named $& *', spanish)).toBe('un campo llamado $& *');
  });
});
