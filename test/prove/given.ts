import { z } from 'zod';

const text = process.env['LLAVERO_PROVE'];
if (text === undefined) throw new Error('Only `npm run prove -- NAME` runs the proofs.');

/** The folder that goes with the proof, whatever ends it; and its options, with the defaults of `scripts/proofs.mjs`. */
const { folder, options } = z
  .object({ folder: z.string(), options: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(text));
export { folder };

/** The options of this proof, each with what it takes. */
export const given = <Shape extends z.ZodRawShape>(shape: Shape): z.output<z.ZodObject<Shape, z.core.$strict>> =>
  z.strictObject(shape).parse(options);

/** Tells how it goes. Only summaries go to stdout. */
export const say = (line: string): void => void process.stderr.write(`${line}\n`);

export const print = (summary: object): void => void process.stdout.write(`${JSON.stringify(summary)}\n`);

class WrongUse extends Error {
  override name = 'WrongUse';
}

/** Ends a proof that cannot be run as it was asked for with one sentence and the exit code 2. */
export function refuse(sentence: string): never {
  throw new WrongUse(sentence);
}

/** The names of `--only`, of those that there are; all when it is not given. */
export function chosen(only: string | undefined, names: readonly string[]): readonly string[] {
  const wanted = only?.split(',') ?? names;
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined)
    refuse(`There is no server "${unknown}": the option --only takes some of ${names.join()}.`);
  return wanted;
}
