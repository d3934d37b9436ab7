import { z } from 'zod';
import { RunStep } from './contract-runs.ts';
import { ExchangeSummary } from './exchanges.ts';
import { WindowState } from './models.ts';

/** What main tells every window, past tense. */
export const events = {
  'app.changed': WindowState,
  'exchange.recorded': ExchangeSummary,
  /** The embedded service answered a request; which one is in its log. */
  'service.requested': z.null(),
  'conformance.progressed': RunStep,
} as const;

export type EventName = keyof typeof events;
