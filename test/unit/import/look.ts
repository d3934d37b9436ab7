import { shippedInterface, shippedNames } from '../../../main/interface/shipped.ts';
import { findInText } from '../../../main/lab/import/find-in-text.ts';
import type { FoundInterface, InterfaceFinding } from '../../../preload/contract/interface.ts';

const descriptions = await Promise.all(
  shippedNames.map(async (name) => [name, (await shippedInterface(name))!] as const),
);
const shipped = new Map(descriptions);

/** Looks into a text on this thread. */
export const look = (text: string | Uint8Array): Promise<InterfaceFinding> =>
  findInText(typeof text === 'string' ? Buffer.from(text) : text, shipped);

/** What is found in a text in which something is. */
export async function found(text: string | Uint8Array): Promise<FoundInterface> {
  const finding = await look(text);
  if (finding.kind !== 'found') throw new Error(`nothing was found: ${finding.kind}`);
  return finding;
}
