import type { ShippedInterface } from '../../preload/contract/connection.ts';
import { isDeepStrictEqual } from 'node:util';
import { InterfaceDescription } from '../../preload/contract/interface.ts';
import { ApiAdapter } from './api-adapter.ts';
import { shippedFiles } from './shipped-files.ts';
import llavero from './shipped/llavero.json' with { type: 'json' };

/** The interface of `interface.md`, which counts wherever no other description is given. */
export const defaultInterface: InterfaceDescription = InterfaceDescription.parse(llavero);

/** A description, as {@link defaultInterface} itself where it says the same: that a person chose it changes no call. */
export const canonicalInterface = (description: InterfaceDescription): InterfaceDescription =>
  isDeepStrictEqual(description, defaultInterface) ? defaultInterface : description;

/** The shipped description of a name, and nothing for a name that none has. */
export async function shippedInterface(name: string): Promise<InterfaceDescription | undefined> {
  if (name === 'llavero') return defaultInterface;
  if (!Object.hasOwn(shippedFiles, name)) return undefined;
  return InterfaceDescription.parse((await shippedFiles[name]!.load()).default);
}

/** The name of the shipped description that says the same as another one. */
export async function shippedNameOf(description: InterfaceDescription): Promise<string | undefined> {
  for (const name of Object.keys(shippedFiles))
    if (isDeepStrictEqual(await shippedInterface(name), description)) return name;
  return undefined;
}

/** The shipped description of a known name as a text. */
export async function shippedText(name: string): Promise<string> {
  return textOf((await shippedFiles[name]!.load()).default);
}

const textOf = (description: unknown): string => `${JSON.stringify(description, undefined, 2)}\n`;

/** All of them, as texts that a person may change. */
export async function shippedInterfaces(): Promise<ShippedInterface[]> {
  return Promise.all(
    Object.entries(shippedFiles).map(async ([id, { load, proved }]) => {
      const description = (await load()).default;
      const adapter = new ApiAdapter(InterfaceDescription.parse(description), '');
      return {
        id,
        name: adapter.description.name,
        login: adapter.formatCall('login'),
        proved,
        text: textOf(description),
      };
    }),
  );
}
