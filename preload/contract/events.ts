import { AppState } from './models.ts';

/** What main tells every window, past tense. */
export const events = { 'app.changed': AppState } as const;

export type EventName = keyof typeof events;
