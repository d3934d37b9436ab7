import { parseResponse } from '../../main/client/read-answer.ts';
import { extractProfile } from '../../main/client/hide-in-reading.ts';
import { toUserProfile } from '../../main/client/user-of.ts';
import { previewInterface } from '../../main/interface/interface-reading.ts';
import { shippedInterface, shippedNames } from '../../main/interface/shipped.ts';
import { findInText } from '../../main/lab/import/find-in-text.ts';
import type { ImportResult } from '../../preload/contract/interface.ts';
import type { UserProfile } from '../../preload/contract/models.ts';

/** Reads a profile as main does: what is a text is JSON, anything else is what JSON is made of. */
export function readProfile(body: unknown, who: readonly string[] = []) {
  const answer = { status: 200, headers: {}, body, who };
  const reading = parseResponse('perfil', answer);
  return { ...reading, ...extractProfile({ operation: 'perfil', answer, reading }) };
}

/** What main answers about texts, for what is written down of it. */
export const answersOfMain = {
  async find(text: string): Promise<ImportResult> {
    const shipped = await Promise.all(
      shippedNames.map(async (name) => [name, (await shippedInterface(name))!] as const),
    );
    return findInText(Buffer.from(text), new Map(shipped));
  },
  read: previewInterface,
  profile: (body: string): UserProfile => toUserProfile(readProfile(body)),
};
