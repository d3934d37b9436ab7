import { z } from 'zod';
import { AppState, RegistrationPath, Settings } from './models.ts';
import type { Result } from './result.ts';

const call = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output });

/**
 * Larger than anything a form needs, small enough that a runaway page cannot fill main's memory.
 * What a field may hold is for the server to say: the client sends what was typed.
 */
const typed = z.string().max(65_536);

export const Credentials = z.object({ email: typed, password: typed });
export type Credentials = z.infer<typeof Credentials>;

export const Registration = z.object({
  path: RegistrationPath,
  name: typed,
  email: typed,
  password: typed,
  /** Sent to `/register` only. */
  cpassword: typed,
});
export type Registration = z.infer<typeof Registration>;

/** The whole surface between renderer and main. Nothing else crosses. */
export const contract = {
  app: {
    state: call(z.void(), AppState),
  },
  session: {
    login: call(Credentials, AppState),
    /** Registers, then uses the token of the answer, or logs in exactly once. */
    register: call(Registration, AppState),
    /** Asks the server again who is logged in. */
    check: call(z.void(), AppState),
    logout: call(z.void(), AppState),
    /** Ends whatever login, registration, check or logout is under way. */
    cancel: call(z.void(), AppState),
  },
  servers: {
    /** Makes the server at this address the active one; a new address becomes a new entry. */
    useAddress: call(z.object({ address: typed }), AppState),
    use: call(z.object({ id: z.string().max(100) }), AppState),
    /** Removes an entry with its session and token. The built-in one stays. */
    forget: call(z.object({ id: z.string().max(100) }), AppState),
  },
  settings: {
    change: call(Settings.partial(), AppState),
  },
} as const;

type Contract = typeof contract;

/** What the renderer sees: one async function per call, never a throw. */
export type Api = {
  [G in keyof Contract]: {
    [K in keyof Contract[G]]: Contract[G][K] extends {
      input: infer I extends z.ZodType;
      output: infer O extends z.ZodType;
    }
      ? (input: z.input<I>) => Promise<Result<z.output<O>>>
      : never;
  };
};
