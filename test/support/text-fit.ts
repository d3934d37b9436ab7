import type { Page } from 'playwright-core';

/** Texts that may end in "…": hosts, addresses, paths, emails and other texts of one word, which cannot wrap. */
const mayBeCut = String.raw`^\S*$`;

/**
 * Lists the texts of the window that are cut, that lie over one another or over the header and the status bar, and what
 * scrolls sideways. Nothing is listed where all fits.
 */
export const misfits = (page: Page): Promise<string[]> => page.evaluate(findMisfits, mayBeCut);

/** Runs in the page. It may use nothing from outside of itself. */
function findMisfits(cuttable: string): string[] {
  const found = new Set<string>();
  const short = (text: string) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 60);
  const oneWord = new RegExp(cuttable);
  const clips = (style: CSSStyleDeclaration) => style.overflowX === 'hidden' || style.overflowX === 'clip';
  const scrolls = (style: CSSStyleDeclaration) => style.overflowX === 'auto' || style.overflowX === 'scroll';
  const isCode = (element: Element) => element.closest('pre, code, [data-scrolls-sideways]') !== null;

  for (const element of document.querySelectorAll('html, body, body *')) {
    const style = getComputedStyle(element);
    const isRoot = element === document.documentElement;
    if ((isRoot || scrolls(style)) && element.scrollWidth > element.clientWidth + 1 && !isCode(element)) {
      found.add(
        `scrolls sideways by ${element.scrollWidth - element.clientWidth} px: ${element.localName}.${element.className}`,
      );
    }
  }

  /** What cuts a text at its sides, if anything does. */
  const cutBy = (element: Element, rect: DOMRect): Element | undefined => {
    for (let each: Element | null = element; each; each = each.parentElement) {
      const style = getComputedStyle(each);
      if (scrolls(style)) return undefined;
      const box = each.getBoundingClientRect();
      if (clips(style) && (rect.right > box.right + 1 || rect.left < box.left - 1)) return each;
      if (style.position === 'fixed') break;
    }
    return rect.right > innerWidth + 1 || rect.left < -1 ? document.documentElement : undefined;
  };

  const isHidden = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return (width <= 1 && height <= 1) || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const seen: { text: string; element: Element; rect: DOMRect }[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const text = node.nodeValue ?? '';
    const element = node.parentElement;
    if (
      !element ||
      text.trim() === '' ||
      isHidden(element) ||
      element.closest('[class*=VisuallyHidden], script, style')
    ) {
      continue;
    }
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      if (rect.width < 1 || rect.height < 1) continue;
      const cut = cutBy(element, rect);
      if (cut && !oneWord.test(text.trim())) found.add(`is cut: “${short(text)}” by ${cut.localName}.${cut.className}`);
      const [x, y] = [rect.left + rect.width / 2, rect.top + rect.height / 2];
      const top = document.elementFromPoint(x, y);
      if (top && (element === top || element.contains(top) || top.contains(element)))
        seen.push({ text, element, rect });
    }
  }

  for (const [index, one] of seen.entries()) {
    for (const other of seen.slice(index + 1)) {
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      const wide = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
      const high = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
      if (wide > 2 && high > 4) found.add(`“${short(one.text)}” lies over “${short(other.text)}”`);
    }
  }

  for (const bar of document.querySelectorAll('header, footer')) {
    const box = bar.getBoundingClientRect();
    for (let x = box.left + 4; x < box.right; x += 16) {
      const top = document.elementFromPoint(x, box.top + box.height / 2);
      const isOver = top?.closest('main') !== null && top?.closest('main') !== undefined;
      if (isOver) found.add(`lies over the ${bar.localName}: ${top?.localName} “${short(top?.textContent ?? '')}”`);
    }
  }

  const ruler = document.createElement('canvas').getContext('2d');
  for (const field of document.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input[placeholder], select')) {
    if (!ruler || isHidden(field)) continue;
    const style = getComputedStyle(field);
    ruler.font = style.font;
    const text = field instanceof HTMLSelectElement ? (field.selectedOptions[0]?.text ?? '') : field.placeholder;
    const room = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
    if (ruler.measureText(text).width > room + 1 && !oneWord.test(text))
      found.add(`is cut in its field: “${short(text)}”`);
  }
  return [...found];
}
