/** Electron's clipboard, which returns promises from version 45 on. */
export type Clipboard = { readText: () => string | Promise<string>; writeText: (text: string) => unknown };

/** The seconds after which a secret is removed from the clipboard. */
export const clipboardSeconds = 30;

export type SecretClipboard = ReturnType<typeof createSecretClipboard>;

/** Copies secrets to the clipboard, and clears it after a while, on lock and on quit. */
export function createSecretClipboard(clipboard: Clipboard) {
  let copied: { text: string; timer: NodeJS.Timeout } | undefined;

  /** Leaves a text that was copied meanwhile. */
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
