import { z } from 'zod';

/** What the process that asks the Secret Service answers, once. */
export const KeyringAnswer = z.discriminatedUnion('answer', [
  /** It is there and open; the key is base64. */
  z.object({ answer: z.literal('key'), key: z.base64() }),
  /** There is none on the session bus, or no bus. */
  z.object({ answer: z.literal('absent') }),
  /** It is there and gave nothing: locked and its prompt dismissed, or broken. */
  z.object({ answer: z.literal('refused') }),
]);
export type KeyringAnswer = z.infer<typeof KeyringAnswer>;
