import type { TrialCall, TrialProposal } from '../../../preload/contract/trial.ts';
import type { Call } from '../../client/call.ts';
import type { ClientResult } from '../../client/client.ts';
import type { Hide } from '../../client/secrets/hide.ts';
import type { Wire } from '../../interface/wire.ts';

/** One of the calls of a trial with all that went over the wire for it. */
export type Step = { name: Exclude<TrialCall['call'], 'csrf'>; result: ClientResult; calls: readonly Call[] };

type Seen = { wire: Wire; text: string; steps: readonly Step[]; hide: Hide };

/** The changes of a description that would mend what was seen, the likeliest first. */
export function proposalsFor(_seen: Seen): TrialProposal[] {
  return [];
}
