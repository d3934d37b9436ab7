/** Electron's clipboard. From version 45 on it answers promises. */
export type Clipboard = { readText: () => string | Promise<string>; writeText: (text: string) => unknown };

/** The seconds that a text with secrets stays in the clipboard. */
export const clipboardSeconds = 30;

export type SecretClipboard = ReturnType<typeof createSecretClipboard>;

/** Puts texts that hold secrets into the clipboard, and takes them out of it after a while, at a lock and at the end. */
export function createSecretClipboard(clipboard: Clipboard) {
  let copied: { text: string; timer: NodeJS.Timeout } | undefined;

  /** What somebody copied meanwhile stays. */
  async function clear(): Promise<void> {
    if (!copied) return;
    const { text, timer } = copied;
    copied = undefined;
    clearTimeout(timer);
    if ((await clipboard.readText()) === text) await clipboard.writeText('');
  }

  return {
    clear,

    async put(text: string): Promise<void> {
      await clipboard.writeText(text);
      if (copied) clearTimeout(copied.timer);
      copied = { text, timer: setTimeout(() => void clear(), clipboardSeconds * 1000) };
    },
  };
}
