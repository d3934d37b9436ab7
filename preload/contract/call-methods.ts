import { z } from 'zod';
import {
  type RecordedCall,
  CommandForm,
  CallFilter,
  type CallPage,
  type CallSummary,
  type EditableRequest,
  EditedRequest,
  type ReplayOutcome,
} from './calls.ts';
import { byId, method, userText } from './method.ts';
import { CallLimits } from './settings.ts';

/** A call has a handful of secrets. */
const mostSecrets = 50;
/** The typed secrets of a replay, by the ids of the references that stand for them. */
const typedSecrets = z
  .record(byId.shape.id, userText)
  .refine((secrets) => Object.keys(secrets).length <= mostSecrets)
  .meta({ maxProperties: mostSecrets });

export const callMethods = {
  list: method(z.object({ filter: CallFilter, offset: z.int().min(0) })).returns<CallPage>(),
  /** Answers how many calls are kept. */
  count: method(z.void()).returns<number>(),
  get: method(byId).returns<RecordedCall>(),
  pin: method(byId.extend({ pinned: z.boolean() })).returns<CallSummary>(),
  /** Keeps the text of an answer that is shown in this run only. It fails once the text is no longer in memory. */
  saveText: method(byId),
  /**
   * Puts the request, or what a person made of it, into the clipboard as a command. With `full` its secrets are in it, once the person confirmed
   * that in the system's own dialog; `missing` is the number of secrets that main no longer has.
   */
  copy: method(
    byId.extend({ form: CommandForm, secrets: z.enum(['variables', 'full']), request: EditedRequest.optional() }),
  ).returns<{ copied: boolean; missing: number }>(),
  /** HTTP Archive 1.2. `exported` is the number of calls, absent if no file was chosen in the system dialog. */
  exportHar: method(z.object({ filter: CallFilter })).returns<{ exported?: number | undefined }>(),
  /** Returns the request of a call as a person may edit it. It fails when the call cannot be replayed. */
  editableRequest: method(byId).returns<EditableRequest>(),
  /**
   * Sends the request once more, as it was or as a person edited it, and returns the record of that. `secrets` has what a
   * person typed for those that an earlier replay named as missing. No session begins or ends by a replay.
   */
  replay: method(
    byId.extend({ request: EditedRequest.optional(), secrets: typedSecrets.optional() }),
  ).returns<ReplayOutcome>(),
  /** Ends the replay that is under way. */
  cancelReplay: method(z.void()),
  /** Removes the calls of one server, or all calls. */
  clear: method(z.object({ serverId: byId.shape.id.optional(), pinnedToo: z.boolean() })).returns<CallPage>(),
  limits: method(z.void()).returns<CallLimits>(),
  /** Sets limits that hold from the next call on. */
  setLimits: method(CallLimits).returns<CallLimits>(),
} as const;
