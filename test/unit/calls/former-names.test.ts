import { expect, it } from 'vitest';
import { MockResponse } from '../../../main/service/mock/mock-definition.ts';
import { InterpretationTrace } from '../../../preload/contract/calls.ts';
import { CaseAnswer } from '../../../preload/contract/report-cases.ts';
import { AppError } from '../../../preload/contract/result.ts';

it('stored calls and reports of earlier builds are read under the names of today', () => {
  expect(AppError.parse({ kind: 'unexpected', reason: 'further-step' })).toEqual({
    kind: 'unexpected',
    reason: 'mfa-required',
  });
  const limit = { kind: 'not-an-api-answer', status: 200 };
  expect(AppError.parse({ ...limit, reason: 'too-hard' })).toEqual({ ...limit, reason: 'resource-limit' });
  const trace = { operation: 'login', rule: 'status', found: [] };
  expect(InterpretationTrace.parse({ ...trace, verdict: 'further-step' }).verdict).toBe('mfa-required');
  expect(InterpretationTrace.parse({ ...trace, verdict: 'ok' }).verdict).toBe('ok');
  for (const [former, name] of [
    ['perfil', 'profile'],
    ['salir', 'logout'],
  ]) {
    expect(InterpretationTrace.parse({ ...trace, verdict: 'ok', operation: former }).operation).toBe(name);
    const answer = { question: 'success-status', value: { kind: 'status', status: 200 }, evidence: [] };
    expect(CaseAnswer.parse({ ...answer, subject: former }).subject).toBe(name);
    expect(MockResponse.shape.operation.parse(former)).toBe(name);
  }
});
