import { createFakeCipher } from './fake-cipher.ts';

/** Makes a system store that, once held, gives nothing until it is released. */
export function createHeldCipher() {
  const fake = createFakeCipher();
  let asked = Promise.withResolvers<void>();
  let free = Promise.resolve();
  let release = (): void => undefined;
  const waited = async <T>(call: () => Promise<T>): Promise<T> => {
    asked.resolve();
    await free;
    return call();
  };
  return {
    cipher: {
      probe: fake.probe,
      neverPrompts: fake.neverPrompts,
      encrypt: (text: string) => waited(() => fake.encrypt(text)),
      decrypt: (sealed: Buffer, backend: string) => waited(() => fake.decrypt(sealed, backend)),
    },
    hold(): void {
      asked = Promise.withResolvers();
      const { promise, resolve } = Promise.withResolvers<void>();
      free = promise;
      release = resolve;
    },
    asked: () => asked.promise,
    release: () => release(),
  };
}
