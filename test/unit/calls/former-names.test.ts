import { expect, it } from 'vitest';
import { InterpretationTrace } from '../../../preload/contract/calls.ts';
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
});
