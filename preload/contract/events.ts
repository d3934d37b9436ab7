import { z } from 'zod';
import { RunStep } from './contract-runs.ts';
import { CallSummary } from './calls.ts';
import { WindowState } from './models.ts';
import { commands } from './shortcuts.ts';

/** What main tells the window. The names are in the past tense. */
export const events = {
  'app.changed': WindowState,
  /** The person chose what the window does in a native menu. */
  'app.command': z.enum(commands),
  /** Nobody has done anything for a while. The preload script takes this, not the page. */
  'app.rested': z.null(),
  'call.recorded': CallSummary,
  /** How many calls are kept, after that has changed. */
  'calls.counted': z.int(),
  /** The built-in server answered a request. The window asks for the requests when it shows them. */
  'builtIn.requested': z.null(),
  'contractRun.progressed': RunStep,
} as const;

export type EventName = keyof typeof events;

/** What is told with an event. */
export type EventPayload<N extends EventName> = z.output<(typeof events)[N]>;
