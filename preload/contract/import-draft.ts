import { z } from 'zod';
import { FoundInterface, FoundPart } from './interface.ts';

const { draft, others, addresses, format } = FoundInterface.shape;

/** What may be asked again of a part: never the text's own words. */
const OpenPart = FoundPart.omit({ detail: true });

/** What was found in a text and is not used yet: the description with its open questions. It has nothing of the text. */
export const ImportDraft = z.object({
  /** The server that is edited; absent for one that is not created yet. */
  serverId: z.string().max(100).optional(),
  format,
  /** The name of the file. */
  name: z.string().max(255).optional(),
  draft,
  parts: z.array(OpenPart).max(200),
  others,
  addresses,
  address: z.string().max(2000),
});
export type ImportDraft = z.infer<typeof ImportDraft>;
