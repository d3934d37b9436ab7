import type { Dialogs, DialogQuestion } from '../../../preload/contract/dialogs.ts';
import type { DisplayValue, AuthState, UserProfile } from '../../../preload/contract/models.ts';
import { safeExternalUrl } from '../../../preload/contract/external-url.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { RedactedJson } from '../../client/reading/json-text.ts';
import { pictureIn } from '../../client/reading/picture.ts';
import { readRawProfile } from '../../client/raw-profile.ts';
import { errorCodeOf } from '../../files/error-code.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import type { Handlers } from '../../../preload/contract/contract.ts';

interface ProfileOptions {
  state: { get: () => { session: AuthState } };
  /** Returns what the server sent to a session. It is undefined until it has sent something in this run. */
  rawProfileOf: (sessionId: string) => RedactedJson | undefined;
  /** Electron's clipboard. From version 45 on it answers promises. */
  clipboard: { writeText: (text: string) => unknown };
  /** Undefined when the person chose nothing, or is not asked again after that. */
  chooseFile: (purpose: 'export-profile') => Promise<string | undefined>;
  /** Asks with the system's own dialog. */
  ask: (question: DialogQuestion) => Promise<Result<null>>;
  openExternal: Dialogs['openExternal'];
}

/** A value of the profile, by its field and, where it is within that, the steps that lead to it. */
type Wanted = Parameters<Handlers['profile']['copy']>[0];

/**
 * Makes what a person can do with what the server sent of them. It is taken from there and not from the screen, where
 * long texts are cut, and the page cannot put a text of its own into the clipboard. No secret is in it.
 */
export function profileHandlers(options: ProfileOptions): Handlers['profile'] {
  const { state, rawProfileOf, clipboard, chooseFile, ask, openExternal } = options;
  const shown = () => {
    const { session } = state.get();
    return session.step === 'signed-out' ? undefined : { user: session.user, sent: rawProfileOf(session.sessionId) };
  };

  async function textOf({ of, field, at = [] }: Wanted): Promise<string | undefined> {
    const { user, sent } = shown() ?? {};
    if (of === 'known') return user && knownFields(user).get(field);
    return at.length > 0 ? textWithin(user, field, at) : rowOf(user, sent, field);
  }

  return {
    async copy(wanted) {
      const value = await textOf(wanted);
      if (value === undefined) return ok({ copied: false });
      await clipboard.writeText(value);
      return ok({ copied: true });
    },

    async open(wanted) {
      const link = safeExternalUrl((await textOf(wanted)) ?? '');
      if (link === undefined) return ok({ opened: false });
      const { protocol, pathname } = new URL(link);
      const agreed = await ask(
        protocol === 'mailto:' ? { kind: 'open-mail', address: pathname } : { kind: 'open-outside', baseUrl: link },
      );
      if (!agreed.ok) return agreed.error.kind === 'cancelled' ? ok({ opened: false }) : agreed;
      const opened = await openExternal(link);
      return opened.ok ? ok({ opened: true }) : opened;
    },

    async rawResponse() {
      const { sent } = shown() ?? {};
      return ok(sent ? { text: sent.text.slice(0, longestSent), leftOut: sent.leftOut } : { leftOut: [] });
    },

    async picture({ place }) {
      const { user, sent } = shown() ?? {};
      const isShown = user?.rest.some((row) => row.place === place && row.value.is === 'picture');
      const address = isShown && sent ? await readRawProfile({ sent, place }) : undefined;
      // What is shown is judged once more: the page gets a picture, or nothing.
      return ok(address !== undefined && pictureIn(address) ? { address } : {});
    },

    async exportFile() {
      const { sent } = shown() ?? {};
      if (!sent) return fail({ kind: 'not-now' });
      const file = await chooseFile('export-profile');
      if (file === undefined) return ok({ exported: false });
      const text = await readRawProfile({ sent });
      if (text === undefined) return fail({ kind: 'not-now' });
      try {
        await writeAtomically(file, text);
      } catch (error) {
        return fail({ kind: 'file-failed', code: errorCodeOf(error) ?? '' });
      }
      return ok({ exported: true });
    },
  };
}

/** In characters. Nobody reads more than this; the file that a person saves has all of it. */
const longestSent = 400_000;

const knownFields = ({ id, name, email }: UserProfile): ReadonlyMap<string, string | undefined> =>
  new Map(Object.entries({ id, name, email }));

/** A place that is on the screen, and no secret. */
async function rowOf(
  user: UserProfile | undefined,
  sent: RedactedJson | undefined,
  wanted: string,
): Promise<string | undefined> {
  const row = user?.rest.find(({ place }) => place === wanted);
  return row && row.value.is !== 'secret' && sent ? readRawProfile({ sent, place: row.place }) : undefined;
}

/** The text of what is shown within a row. One that is cut there is left out, and so is a secret. */
function textWithin(user: UserProfile | undefined, field: string, at: readonly number[]): string | undefined {
  const row = user?.rest.find(({ place }) => place === field);
  const found = at.reduce<DisplayValue | undefined>((value, step) => {
    if (value?.is === 'list') return value.items[step];
    return value?.is === 'fields' ? value.fields[step]?.value : undefined;
  }, row?.value);
  return found && textsIn(found).join('\n');
}

function textsIn(value: DisplayValue): string[] {
  if (value.is === 'list') return value.items.flatMap(textsIn);
  if (value.is === 'fields') return value.fields.flatMap((field) => textsIn(field.value));
  if (value.is === 'text') return value.left === undefined && value.text !== '' ? [value.text] : [];
  if (value.is === 'number') return [value.digits];
  if (value.is === 'day') return [value.day];
  if (value.is === 'moment') return [value.at];
  return value.is === 'flag' ? [String(value.yes)] : [];
}
