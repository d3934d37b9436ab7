import { z } from 'zod';
import { RunStep } from './contract-runs.ts';
import { CallSummary } from './calls.ts';
import { WindowState } from './models.ts';

/** What main tells every window, past tense. */
export const events = {
  'app.changed': WindowState,
  'call.recorded': CallSummary,
  /** The embedded service answered a request; which one is in its log. */
  'builtIn.requested': z.null(),
  'contractRun.progressed': RunStep,
} as const;

export type EventName = keyof typeof events;
