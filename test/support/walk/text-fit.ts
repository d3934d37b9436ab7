import type { Page } from 'playwright-core';

// These functions run in the page, where their texts are put one after the other: they may use each other and the page,
// and nothing else of this file.

interface Box {
  rect: DOMRect;
  clips: boolean;
  scrolls: boolean;
  isFixed: boolean;
}

/** A text on the screen: the part of it that is seen, and what cuts it at its sides, if anything does. */
interface Shown {
  text: string;
  element: Element;
  seen: DOMRect;
  cut: Element | undefined;
}

const inPage = [
  shorten,
  isHidden,
  boxOf,
  partOf,
  shownTexts,
  sidewaysScrolls,
  cutTexts,
  overlaps,
  coveredBars,
  cutFields,
  brokenWords,
  findMisfits,
];

/**
 * Lists the texts of the window that are cut, that lie over one another or over the header and the status bar, the words
 * that are broken in their middle, and what scrolls sideways. Nothing is listed where all fits. Texts of one word may be cut: hosts, addresses, paths, emails.
 */
export const misfits = (page: Page): Promise<string[]> => page.evaluate(`{${inPage.join('\n')}\nfindMisfits();}`);

function findMisfits(): string[] {
  const boxes = new Map<Element, Box>();
  const texts = shownTexts(boxes);
  return [
    ...new Set([
      ...sidewaysScrolls(boxes),
      ...cutTexts(texts),
      ...overlaps(texts),
      ...coveredBars(),
      ...cutFields(),
      ...brokenWords(texts),
    ]),
  ];
}

function shorten(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 60);
}

function isHidden(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return (width <= 1 && height <= 1) || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}

function boxOf(element: Element, boxes: Map<Element, Box>): Box {
  const known = boxes.get(element);
  if (known) return known;
  const { overflowX, position } = getComputedStyle(element);
  const box = {
    rect: element.getBoundingClientRect(),
    clips: overflowX === 'hidden' || overflowX === 'clip',
    scrolls: overflowX === 'auto' || overflowX === 'scroll',
    isFixed: position === 'fixed',
  };
  boxes.set(element, box);
  return box;
}

function partOf(text: DOMRect, element: Element, boxes: Map<Element, Box>): Pick<Shown, 'seen' | 'cut'> {
  let [left, top, right, bottom] = [text.left, text.top, text.right, text.bottom];
  let cut: Element | undefined;
  let isScrolled = false;
  for (let each: Element | null = element; each; each = each.parentElement) {
    const { rect, clips, scrolls, isFixed } = boxOf(each, boxes);
    if (clips || scrolls) {
      // Of what is there only for the ear, nothing is seen.
      if (clips && rect.width <= 1) return { seen: new DOMRect(), cut: undefined };
      if (clips && !isScrolled && (right > rect.right + 0.25 || left < rect.left - 0.25)) cut ??= each;
      [left, top] = [Math.max(left, rect.left), Math.max(top, rect.top)];
      [right, bottom] = [Math.min(right, rect.right), Math.min(bottom, rect.bottom)];
    }
    isScrolled ||= scrolls;
    if (isFixed) break;
  }
  if (!isScrolled && (right > innerWidth + 1 || left < -1)) cut ??= document.documentElement;
  // A text on a line that is not shown is not cut either.
  return { seen: new DOMRect(left, top, right - left, bottom - top), cut: bottom - top < 1 ? undefined : cut };
}

function shownTexts(boxes: Map<Element, Box>): Shown[] {
  const shown: Shown[] = [];
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const text = nodes.currentNode.nodeValue ?? '';
    const element = nodes.currentNode.parentElement;
    if (!element || text.trim() === '' || isHidden(element)) continue;
    if (element.closest('[class*=VisuallyHidden], [class*=visually-hidden], script, style, select')) continue;
    const range = document.createRange();
    range.selectNodeContents(nodes.currentNode);
    for (const rect of range.getClientRects()) {
      if (rect.width >= 1 && rect.height >= 1) shown.push({ text, element, ...partOf(rect, element, boxes) });
    }
  }
  return shown;
}

function sidewaysScrolls(boxes: Map<Element, Box>): string[] {
  return [...document.querySelectorAll('html, body *')].flatMap((element) => {
    const over = element.scrollWidth - element.clientWidth;
    if (over <= 1 || element.closest('pre, code')) return [];
    if (element !== document.documentElement && !boxOf(element, boxes).scrolls) return [];
    return [`scrolls sideways by ${over} px: ${element.localName}.${element.className}`];
  });
}

function cutTexts(texts: Shown[]): string[] {
  return texts.flatMap(({ text, cut }) =>
    cut && /\s/.test(text.trim()) ? [`is cut: “${shorten(text)}” by ${cut.localName}.${cut.className}`] : [],
  );
}

function overlaps(texts: Shown[]): string[] {
  const onTop = texts.filter(({ element, seen: { left, top, width, height } }) => {
    if (width < 1 || height < 1) return false;
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && (element.contains(hit) || hit.contains(element));
  });
  const floats = '[data-portal], [data-there=true], [role=menu], [role=listbox], [role=dialog]';
  return onTop.flatMap((one, index) =>
    onTop.slice(index + 1).flatMap((other) => {
      if (one.element.contains(other.element) || other.element.contains(one.element)) return [];
      // What floats, such as a menu or a sentence about what was done, covers the ends of texts below it.
      if (one.element.closest(floats) !== other.element.closest(floats)) return [];
      const wide = Math.min(one.seen.right, other.seen.right) - Math.max(one.seen.left, other.seen.left);
      const high = Math.min(one.seen.bottom, other.seen.bottom) - Math.max(one.seen.top, other.seen.top);
      return wide > 2 && high > 4 ? [`“${shorten(one.text)}” lies over “${shorten(other.text)}”`] : [];
    }),
  );
}

function coveredBars(): string[] {
  return [...document.querySelectorAll(':is(header, footer):not(main *)')].flatMap((bar) => {
    const { left, top, width, height } = bar.getBoundingClientRect();
    const points = Array.from({ length: Math.floor(width / 16) }, (_, index) => left + 4 + index * 16);
    return points.flatMap((x) => {
      const hit = document.elementFromPoint(x, top + height / 2);
      return hit?.closest('main') ? [`lies over the ${bar.localName}: “${shorten(hit.textContent)}”`] : [];
    });
  });
}

/** Placeholders and chosen options, whose boxes no range can tell. */
function cutFields(): string[] {
  const ruler = document.createElement('canvas').getContext('2d')!;
  const fields = document.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input[placeholder], select');
  return [...fields].flatMap((field) => {
    if (isHidden(field)) return [];
    const style = getComputedStyle(field);
    ruler.font = style.font;
    const text = field instanceof HTMLSelectElement ? (field.selectedOptions[0]?.text ?? '') : field.placeholder;
    const area = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
    const isCut = ruler.measureText(text).width > area + 1 && /\s/.test(text.trim());
    return isCut ? [`is cut in its field: “${shorten(text)}”`] : [];
  });
}

/** Words that go on in the next line, though they would fit into one. What is written in code may break anywhere. */
function brokenWords(texts: Shown[]): string[] {
  return [...new Set(texts.map(({ element }) => element))].flatMap((element) => {
    if (element.closest('pre, code, [data-code]')) return [];
    let block = element;
    while (getComputedStyle(block).display === 'inline' && block.parentElement) block = block.parentElement;
    const style = getComputedStyle(block);
    const area = block.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
    const range = document.createRange();
    return [...element.childNodes].flatMap((node) => {
      if (node.nodeType !== Node.TEXT_NODE) return [];
      return [...(node.nodeValue ?? '').matchAll(/[\p{L}\p{M}\p{N}]{2,}/gu)].flatMap(({ 0: word, index }) => {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const parts = [...range.getClientRects()];
        const isBroken = parts.some(({ top, height }) => top >= parts[0]!.top + height / 2);
        if (!isBroken || parts.reduce((sum, { width }) => sum + width, 0) > area) return [];
        return [
          `breaks in “${shorten(word)}” of “${shorten(node.nodeValue ?? '')}” in ${block.localName}.${block.className}`,
        ];
      });
    });
  });
}
