import { z } from 'zod';

/** The id of the profile whose key is meant follows; it names the item. */
export const profileArgument = 'profile=';

/** Tells that process to remove the key instead of giving it. */
export const forgetArgument = 'forget';

/** The one answer of the process that asks the Secret Service. */
export const KeyringAnswer = z.discriminatedUnion('answer', [
  /** The service is there and open. The key is in base64. */
  z.object({ answer: z.literal('key'), key: z.base64() }),
  /** There is no such service on the session bus, or no bus. */
  z.object({ answer: z.literal('absent') }),
  /** The service is there and gave nothing: it is locked and its prompt was dismissed, or it is broken. */
  z.object({ answer: z.literal('refused') }),
  /** The key was removed, as was asked. */
  z.object({ answer: z.literal('forgotten') }),
]);
export type KeyringAnswer = z.infer<typeof KeyringAnswer>;
