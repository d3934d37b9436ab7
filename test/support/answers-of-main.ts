import { readAnswer } from '../../main/client/read-answer.ts';
import { sentOf } from '../../main/client/hide-in-reading.ts';
import { userOf } from '../../main/client/user-of.ts';
import { readInterface } from '../../main/interface/interface-reading.ts';
import { shippedInterface, shippedNames } from '../../main/interface/shipped.ts';
import { findInText } from '../../main/lab/import/find-in-text.ts';
import type { InterfaceFinding } from '../../preload/contract/interface.ts';
import type { User } from '../../preload/contract/models.ts';

/** Reads a profile as main does: what is a text is JSON, anything else is what JSON is made of. */
export function readProfile(body: unknown, who: readonly string[] = []) {
  const answer = { status: 200, headers: {}, body, who };
  const reading = readAnswer('perfil', answer);
  return { ...reading, ...sentOf({ operation: 'perfil', answer, reading }) };
}

/** What main answers about texts, for what is written down of it. */
export const answersOfMain = {
  async find(text: string): Promise<InterfaceFinding> {
    const shipped = await Promise.all(
      shippedNames.map(async (name) => [name, (await shippedInterface(name))!] as const),
    );
    return findInText(Buffer.from(text), new Map(shipped));
  },
  read: readInterface,
  profile: (body: string): User => userOf(readProfile(body)),
};
