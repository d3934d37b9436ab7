import { dialectNames, type DialectName, type DefectName } from '../../../preload/contract/names.ts';
import { dialects } from './dialects.ts';
import { renderDialect } from './dialects/dialect.ts';

/** The response to a successful login, with made-up values. */
export type LoginExample = {
  /** `null` for the service's own response format. */
  dialect: DialectName | null;
  /** The defects that change this response. */
  defects: DefectName[];
  status: number;
  /** The media type, without its parameters. */
  type: string;
  /** JSON. */
  body: string;
};

const nowMs = Date.parse('2026-01-02T10:00:00.000Z');
const user = { id: 12, name: 'Ana Vega', email: 'ana@example.test', created_at: '2026-01-01T09:00:00.000Z' };
const expiresAt = '2026-02-01T10:00:00.000Z';

const defectCombinations: DefectName[][] = [
  [],
  ['password-echoed'],
  ['tokens-guessable'],
  ['password-echoed', 'tokens-guessable'],
];

function exampleOf(dialect: DialectName | null, defects: DefectName[]): LoginExample {
  const token = defects.includes('tokens-guessable') ? '12|0…03' : '12|Qm3…';
  const extras: Record<string, string> = defects.includes('password-echoed') ? { password: 'the-password' } : {};
  if (dialect === null) {
    const body = { token, token_type: 'Bearer', expires_at: expiresAt, user: { ...user, ...extras } };
    return { dialect, defects: defects, status: 200, type: 'application/json', body: JSON.stringify(body) };
  }
  const moment = { nowMs, path: '/api/v1/auth/login' };
  const rendered = renderDialect(dialects[dialect], 'loggedIn', { token, user, expiresAt, ...moment }, extras);
  const [type = ''] = (rendered.headers['content-type'] ?? '').split(';');
  return { dialect, defects: defects, status: rendered.status, type, body: rendered.text };
}

/** For each dialect and each combination of defects that change it. */
export const loginExamples: LoginExample[] = [null, ...dialectNames].flatMap((dialect) =>
  defectCombinations.map((wrong) => exampleOf(dialect, wrong)),
);
