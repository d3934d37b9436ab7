import { ExchangeSummary } from './exchanges.ts';
import { WindowState } from './models.ts';

/** What main tells every window, past tense. */
export const events = { 'app.changed': WindowState, 'exchange.recorded': ExchangeSummary } as const;

export type EventName = keyof typeof events;
