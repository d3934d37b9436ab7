import { z } from 'zod';

/** The most of a profile that crosses to the window. What is beyond is counted, and stands in the file that a person saves. */
export const ProfileLimits = {
  values: 2000,
  charactersOfText: 20_000,
  characters: 400_000,
  charactersOfPlace: 4000,
} as const;

/** A picture that stands in the answer. Its size is in pixels; main answers what it is made of when it is asked for. */
export const SentPicture = z.object({ is: z.literal('picture'), width: z.int(), height: z.int() });
export type SentPicture = z.infer<typeof SentPicture>;

/**
 * A value that a server sent, as far as the screens show it. Numbers have the digits that they were sent with. Secrets never
 * leave main.
 */
export type SentValue =
  /** `left` is the number of characters that the text has beyond these. */
  | { is: 'text'; text: string; left?: number | undefined }
  | { is: 'number'; digits: string }
  | { is: 'flag'; yes: boolean }
  | { is: 'nothing' }
  /** A day such as `1990-05-17`, which is the same everywhere. */
  | { is: 'day'; day: string }
  /** `at` is in ISO 8601. It is taken as UTC where the zone is not said. */
  | { is: 'moment'; at: string; isZoneSaid: boolean }
  | { is: 'secret' }
  | SentPicture
  | { is: 'list'; items: SentValue[] }
  | { is: 'fields'; fields: SentField[] };
export type SentField = { name: string; value: SentValue };

const SentValue: z.ZodType<SentValue> = z.lazy(() =>
  z.discriminatedUnion('is', [
    z.object({
      is: z.literal('text'),
      text: z.string().max(ProfileLimits.charactersOfText),
      left: z.int().min(1).optional(),
    }),
    z.object({ is: z.literal('number'), digits: z.string().max(ProfileLimits.charactersOfText) }),
    z.object({ is: z.literal('flag'), yes: z.boolean() }),
    z.object({ is: z.literal('nothing') }),
    z.object({ is: z.literal('day'), day: z.iso.date() }),
    z.object({ is: z.literal('moment'), at: z.iso.datetime(), isZoneSaid: z.boolean() }),
    z.object({ is: z.literal('secret') }),
    SentPicture,
    z.object({ is: z.literal('list'), items: z.array(SentValue) }),
    z.object({ is: z.literal('fields'), fields: z.array(z.object({ name: z.string(), value: SentValue })) }),
  ]),
);

/** A field of a profile that the interface does not know. Its place is a JSON pointer (RFC 6901) into the answer. */
export const SentRow = z.object({
  name: z.string(),
  place: z.string().max(ProfileLimits.charactersOfPlace),
  value: SentValue,
});
export type SentRow = z.infer<typeof SentRow>;

/** The user as the screens show it. `rest` has what the server sent and the interface does not know. */
export const User = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  email: z.string().optional(),
  rest: z.array(SentRow),
  /** How many values are not among them, since there are more than {@link ProfileLimits}. */
  left: z.int().min(1).optional(),
});
export type User = z.infer<typeof User>;
