import type { Session, User } from '../../preload/contract/models.ts';
import { fail, ok } from '../../preload/contract/result.ts';
import { codeOf } from '../error-code.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import type { Handlers } from '../ipc/answer.ts';

interface ProfileOptions {
  state: { get: () => { session: Session } };
  /** Electron's clipboard. From version 45 on it answers promises. */
  clipboard: { writeText: (text: string) => unknown };
  /** Undefined when the person chose nothing, or is not asked again after that. */
  chooseFile: (purpose: 'export-profile') => Promise<string | undefined>;
}

/**
 * Makes what a person can do with the fields on the screen. They are taken from the state, where no secret is, so that
 * the page cannot put a text of its own into the clipboard.
 */
export function profileHandlers({ state, clipboard, chooseFile }: ProfileOptions): Handlers['profile'] {
  function shownUser(): User | undefined {
    const { session } = state.get();
    return session.step === 'signed-out' ? undefined : session.user;
  }

  return {
    async copy({ of, field }) {
      const user = shownUser();
      const value = user && (of === 'known' ? knownFields(user).get(field) : restValue(user, field));
      if (value === undefined) return ok({ copied: false });
      await clipboard.writeText(value);
      return ok({ copied: true });
    },

    async exportFile() {
      const user = shownUser();
      if (!user) return fail({ kind: 'not-now' });
      const file = await chooseFile('export-profile');
      if (file === undefined) return ok({ exported: false });
      try {
        await writeAtomically(file, profileFile(user));
      } catch (error) {
        return fail({ kind: 'file-failed', code: codeOf(error) ?? '' });
      }
      return ok({ exported: true });
    },
  };
}

const knownFields = ({ id, name, email }: User): Map<string, string> =>
  new Map(Object.entries({ id, name, email }).filter((entry): entry is [string, string] => entry[1] !== undefined));

function restValue({ rest }: User, field: string): string | undefined {
  const found = rest.find(({ path }) => path === field);
  return found?.masked === false ? found.value : undefined;
}

/** Returns the text of the file: every field that the server sent, except those with a secret. */
function profileFile(user: User): string {
  const rest = user.rest.flatMap((field): [string, unknown][] =>
    field.masked ? [] : [[field.path, field.json ? JSON.parse(field.value) : field.value]],
  );
  return `${JSON.stringify(Object.fromEntries([...knownFields(user), ...rest]), null, 2)}\n`;
}
