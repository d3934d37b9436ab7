import type { Api } from './contract/contract.ts';
import type { EventName, Subscribe } from './contract/events.ts';

declare global {
  interface Window {
    readonly api: Api;
    readonly events: { readonly [N in EventName]: Subscribe<N> };
  }
}
