import type { z } from 'zod';
import type { Api } from './contract/contract.ts';
import type { events } from './contract/events.ts';

/** Subscribes to an event of main; returns the function that ends the subscription. */
type Subscribe<P> = (listener: (payload: P) => void) => () => void;

declare global {
  interface Window {
    readonly api: Api;
    readonly events: { readonly [N in keyof typeof events]: Subscribe<z.output<(typeof events)[N]>> };
  }
}
