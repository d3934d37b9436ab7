import type { Session } from '../../preload/contract/models.ts';
import type { User } from '../../preload/contract/profile.ts';
import { fail, ok } from '../../preload/contract/result.ts';
import type { SentText } from '../client/reading/json-text.ts';
import { pictureIn } from '../client/reading/picture.ts';
import { ofSent } from '../client/sent-profile.ts';
import { codeOf } from '../error-code.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import type { Handlers } from '../ipc/answer.ts';

interface ProfileOptions {
  state: { get: () => { session: Session } };
  /** Returns what the server sent to a session. It is undefined until it has sent something in this run. */
  sentTo: (sessionId: string) => SentText | undefined;
  /** Electron's clipboard. From version 45 on it answers promises. */
  clipboard: { writeText: (text: string) => unknown };
  /** Undefined when the person chose nothing, or is not asked again after that. */
  chooseFile: (purpose: 'export-profile') => Promise<string | undefined>;
}

/**
 * Makes what a person can do with what the server sent of them. It is taken from there and not from the screen, where
 * long texts are cut, and the page cannot put a text of its own into the clipboard. No secret is in it.
 */
export function profileHandlers({ state, sentTo, clipboard, chooseFile }: ProfileOptions): Handlers['profile'] {
  const shown = () => {
    const { session } = state.get();
    return session.step === 'signed-out' ? undefined : { user: session.user, sent: sentTo(session.sessionId) };
  };

  return {
    async copy({ of, field }) {
      const { user, sent } = shown() ?? {};
      const value = of === 'known' ? user && knownFields(user).get(field) : await rowOf(user, sent, field);
      if (value === undefined) return ok({ copied: false });
      await clipboard.writeText(value);
      return ok({ copied: true });
    },

    async picture({ place }) {
      const { user, sent } = shown() ?? {};
      const isShown = user?.rest.some((row) => row.place === place && row.value.is === 'picture');
      const address = isShown && sent ? await ofSent({ sent, place }) : undefined;
      // What is shown is judged once more: the page gets a picture, or nothing.
      return ok(address !== undefined && pictureIn(address) ? { address } : {});
    },

    async exportFile() {
      const { sent } = shown() ?? {};
      if (!sent) return fail({ kind: 'not-now' });
      const file = await chooseFile('export-profile');
      if (file === undefined) return ok({ exported: false });
      const text = await ofSent({ sent });
      if (text === undefined) return fail({ kind: 'not-now' });
      try {
        await writeAtomically(file, text);
      } catch (error) {
        return fail({ kind: 'file-failed', code: codeOf(error) ?? '' });
      }
      return ok({ exported: true });
    },
  };
}

const knownFields = ({ id, name, email }: User): ReadonlyMap<string, string | undefined> =>
  new Map(Object.entries({ id, name, email }));

/** A place that is on the screen, and no secret. */
async function rowOf(user: User | undefined, sent: SentText | undefined, wanted: string): Promise<string | undefined> {
  const row = user?.rest.find(({ place }) => place === wanted);
  return row && row.value.is !== 'secret' && sent ? ofSent({ sent, place: row.place }) : undefined;
}
