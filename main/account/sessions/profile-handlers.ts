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
  /** Undefined until the server has sent a profile in this run. */
  rawProfileOf: (sessionId: string) => RedactedJson | undefined;
  /** From Electron 45 on, `writeText` returns a promise. */
  clipboard: { writeText: (text: string) => unknown };
  /** Undefined if the dialog was cancelled, or is suppressed after that. */
  chooseFile: (purpose: 'export-profile') => Promise<string | undefined>;
  /** Asks in a system dialog. */
  ask: (question: DialogQuestion) => Promise<Result<null>>;
  openExternal: Dialogs['openExternal'];
}

/** A value of the profile: its field, and its indices within that field. */
type ProfileValue = Parameters<Handlers['profile']['copy']>[0];

/**
 * Values are read from the response in main: the window has long texts truncated, and must not be able to put its own text
 * on the clipboard. They contain no secrets.
 */
export function profileHandlers(options: ProfileOptions): Handlers['profile'] {
  const { state, rawProfileOf, clipboard, chooseFile, ask, openExternal } = options;
  const shown = () => {
    const { session } = state.get();
    return session.step === 'signed-out' ? undefined : { user: session.user, raw: rawProfileOf(session.sessionId) };
  };

  async function textOf({ of, field, at = [] }: ProfileValue): Promise<string | undefined> {
    const { user, raw } = shown() ?? {};
    if (of === 'known') return user && standardFields(user).get(field);
    return at.length > 0 ? textWithin(user, field, at) : rowOf(user, raw, field);
  }

  return {
    async copy(location) {
      const value = await textOf(location);
      if (value === undefined) return ok({ copied: false });
      await clipboard.writeText(value);
      return ok({ copied: true });
    },

    async open(location) {
      const link = safeExternalUrl((await textOf(location)) ?? '');
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
      const { raw } = shown() ?? {};
      return ok(raw ? { text: raw.text.slice(0, maxShownCharacters), leftOut: raw.leftOut } : { leftOut: [] });
    },

    async picture({ place }) {
      const { user, raw } = shown() ?? {};
      const isShown = user?.rest.some((row) => row.place === place && row.value.is === 'picture');
      const address = isShown && raw ? await readRawProfile({ sent: raw, place }) : undefined;
      // Checked again: the page gets an image and nothing else.
      return ok(address !== undefined && pictureIn(address) ? { address } : {});
    },

    async exportFile() {
      const { raw } = shown() ?? {};
      if (!raw) return fail({ kind: 'not-now' });
      const file = await chooseFile('export-profile');
      if (file === undefined) return ok({ exported: false });
      const text = await readRawProfile({ sent: raw });
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

/** The exported file has the whole response. */
const maxShownCharacters = 400_000;

const standardFields = ({ id, name, email }: UserProfile): ReadonlyMap<string, string | undefined> =>
  new Map(Object.entries({ id, name, email }));

/** Only values that the window shows, and no secrets. */
async function rowOf(
  user: UserProfile | undefined,
  raw: RedactedJson | undefined,
  field: string,
): Promise<string | undefined> {
  const row = user?.rest.find(({ place }) => place === field);
  return row && row.value.is !== 'secret' && raw ? readRawProfile({ sent: raw, place: row.place }) : undefined;
}

/** Without truncated texts and secrets. */
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
