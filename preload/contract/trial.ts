import { z } from 'zod';
import { ConnectionInput, InterfaceInput } from './connection.ts';
import type { AppError } from './result.ts';

const text = z.string().max(10_000);

/** Whose account a trial logs in with. A made-up one is registered first. */
export const TrialAccount = z.discriminatedUnion('is', [
  z.object({ is: z.literal('typed'), email: text, username: text.optional(), password: text }),
  z.object({ is: z.literal('made-up') }),
]);
export type TrialAccount = z.infer<typeof TrialAccount>;

/** What is tried: the server as the form has it now, saved or not. */
export const TrialRequest = z.object({
  /** Of the server that is edited; absent for one that is not created yet. */
  id: z.string().max(100).optional(),
  address: text,
  enteredConnection: ConnectionInput.optional(),
  enteredInterface: InterfaceInput.optional(),
  production: z.boolean(),
  account: TrialAccount,
});
export type TrialRequest = z.infer<typeof TrialRequest>;

/** One call of a trial, as it went. No secret is in it. */
export type TrialCall = {
  call: 'csrf' | 'register' | 'login' | 'profile' | 'refresh' | 'logout';
  method: string;
  path: string;
  /** Absent where no head of an answer came. */
  status?: number | undefined;
  ms: number;
  /** Why it did not do what it is for. */
  error?: AppError | undefined;
  /** The member of its body for a token that the page of a form has, and for which it was refused. */
  pageToken?: string | undefined;
  /** Under which it stands among the recorded calls. */
  callId?: string | undefined;
};

/** A change of the description that would mend what was seen. */
export type TrialProposal = {
  /** The part that would change: `security`, `calls.profile`, `outputs.token`, `encoding`. */
  at: string;
  /** What would stand there: `JWT`, `x-access-token`, `GET /users/me`. */
  value: string;
  /** What the server said that speaks for it, without secrets: `WWW-Authenticate: JWT realm="api"`. */
  evidence?: string | undefined;
  /** The whole description with the change. */
  text: string;
};

/** What came of a trial. It works once the profile confirmed the session that the log-in made. */
export type Trial = {
  works: boolean;
  /** The email, user name or id by which the profile says whose the session was, or else what logged in. */
  whose?: string | undefined;
  calls: TrialCall[];
  /** The account that was registered, which stays at the server. */
  created?: string | undefined;
  /** The likeliest first. */
  proposals: TrialProposal[];
};
