import type { Api, EventName, Subscribe } from './contract/contract.ts';

declare global {
  interface Window {
    readonly api: Api;
    readonly events: { readonly [N in EventName]: Subscribe<N> };
  }
}
