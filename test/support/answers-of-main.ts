import { parseResponse, type ReceivedResponse } from '../../main/client/parse-response.ts';
import { extractProfile } from '../../main/client/redact-interpretation.ts';
import { toUserProfile } from '../../main/client/user-profile.ts';
import { previewInterface } from '../../main/interface/interface-preview.ts';
import { shippedInterface } from '../../main/interface/shipped.ts';
import { suggestedNames } from '../../main/interface/shipped-files.ts';
import { findInText } from '../../main/tools/import/find-in-text.ts';
import type { ImportResult } from '../../preload/contract/interface.ts';
import type { UserProfile } from '../../preload/contract/models.ts';

/** Reads a profile as main does: what is a text is JSON, anything else is what JSON is made of. */
export function readProfile(body: unknown, who: readonly string[] = []) {
  const response: ReceivedResponse = { status: 200, headers: {}, body, knownUsers: who };
  const interpretation = parseResponse('profile', response);
  return {
    ...interpretation,
    ...extractProfile({ operation: 'profile', response, interpretation }),
  };
}

/** What main answers about texts, for what is written down of it. */
export const answersOfMain = {
  async find(text: string): Promise<ImportResult> {
    const shipped = await Promise.all(
      suggestedNames.map(async (name) => [name, (await shippedInterface(name))!] as const),
    );
    return findInText(Buffer.from(text), new Map(shipped));
  },
  read: previewInterface,
  profile: (body: string): UserProfile => toUserProfile(readProfile(body)),
};
