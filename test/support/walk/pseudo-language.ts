import type { Page } from 'playwright-core';
import reports from '../../../preload/contract/locales/reports/en.json' with { type: 'json' };
import screens from '../../../preload/contract/locales/window/en.json' with { type: 'json' };
import { flatTexts } from '../texts.ts';

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const known = [screens, reports].flatMap((texts) => flatTexts(texts).map(([, text]) => text));
/** The English texts as patterns: whatever may stand in the place of a value. */
const patterns = known.map(
  (text) =>
    `^${text
      .split(/\{\{\w+\}\}/)
      .map(escaped)
      .join('.*')}$`,
);

/**
 * Makes every English text of ours that is on the screen 40 % longer, word by word, so that it wraps where a text of
 * another language would. What a server or a person wrote stays as it is.
 */
export async function lengthenTexts(page: Page): Promise<void> {
  await page.evaluate((sources) => {
    const own = sources.map((source) => new RegExp(source, 's'));
    const longer = (text: string) =>
      text.replaceAll(/\p{L}{2,}/gu, (word) => word + 'é'.repeat(Math.max(1, Math.round(word.length * 0.4))));
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      const text = node.nodeValue?.trim() ?? '';
      if (/\p{L}/u.test(text) && own.some((pattern) => pattern.test(text))) node.nodeValue = longer(text);
    }
    for (const field of document.querySelectorAll<HTMLInputElement>('input[placeholder]')) {
      field.placeholder = longer(field.placeholder);
    }
  }, patterns);
}
