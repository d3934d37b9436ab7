import type { FaultKind } from '../../../preload/contract/built-in-server.ts';

/** What the number of a kind of fault means, for the kinds that have one. */
export const parameterLabels: Partial<Record<FaultKind, `builtIn.parameters.${'429' | 'latency' | 'html' | 'drip'}`>> =
  {
    '429': 'builtIn.parameters.429',
    latency: 'builtIn.parameters.latency',
    html: 'builtIn.parameters.html',
    drip: 'builtIn.parameters.drip',
  };
