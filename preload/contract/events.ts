import { RunStep } from './contract-runs.ts';
import { ExchangeSummary } from './exchanges.ts';
import { AppState } from './models.ts';

/** What main tells every window, past tense. */
export const events = {
  'app.changed': AppState,
  'exchange.recorded': ExchangeSummary,
  'conformance.progressed': RunStep,
} as const;

export type EventName = keyof typeof events;
