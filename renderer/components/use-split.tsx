import { useSplitter } from '@mantine/hooks';
import { type CSSProperties, type KeyboardEvent, type ReactNode, type RefCallback, useState } from 'react';
import { savePaneWidth, loadPaneWidth, paneStyle, type PaneName, defaultWidths } from '../pane-width.ts';
import classes from './use-split.module.css';
import { t } from '../i18n.ts';

/** Neither of two panes is narrower. */
const leastWidth = '320px';

interface SplitOptions {
  /** Under this name the width is remembered. */
  pane: PaneName;
  /** The pane that keeps its width while the window changes; the other one has the rest. */
  fixed: 'first' | 'second';
}

interface Split {
  /** For the element that has both panes. */
  container: RefCallback<HTMLElement>;
  /** Has the width of the fixed pane as `--pane`. */
  style: CSSProperties;
  /** Stands between the panes, is dragged or moved by arrows, and goes back at a double press or Enter. */
  handle: ReactNode;
}

/** Lets a person choose how wide two panes beside each other are. */
export function useSplit({ pane, fixed }: SplitOptions): Split {
  const [width, setWidth] = useState(() => loadPaneWidth(pane));
  const usual = defaultWidths[pane];
  const inOrder = <T,>(own: T, rest: T): [T, T] => (fixed === 'first' ? [own, rest] : [rest, own]);
  const at = fixed === 'first' ? 0 : 1;
  const isWidth = (size: unknown): size is `${number}px` => typeof size === 'string';
  const change = (next: number): void => {
    setWidth(next);
    savePaneWidth(pane, next);
  };
  const { ref, getHandleProps } = useSplitter<HTMLElement>({
    panels: inOrder({ defaultSize: `${usual}px`, min: leastWidth }, { defaultSize: 100, min: leastWidth }),
    sizes: inOrder<`${number}px` | number>(`${width}px`, 100),
    onSizeChange: (sizes) => {
      const size = sizes[at];
      if (isWidth(size)) change(Number.parseFloat(size));
    },
    step: '16px',
    shiftStep: '64px',
    resetOnDoubleClick: false,
  });
  const props = getHandleProps({ index: 0 });

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') change(usual);
    else props.onKeyDown(event);
  }

  const handle = (
    // A separator that is moved takes the focus and the keys (ARIA, "Window Splitter"), which no `hr` does.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex
    <div
      {...props}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="separator"
      tabIndex={0}
      className={classes.handle}
      aria-label={t('app.panes')}
      title={t('app.panesHelp')}
      // What stands side by side is parted by an upright line.
      aria-orientation="vertical"
      aria-valuemax={Number.isFinite(props['aria-valuemax']) ? props['aria-valuemax'] : window.innerWidth}
      onKeyDown={onKeyDown}
      onDoubleClick={() => change(usual)}
    />
  );
  return { container: ref, style: paneStyle(width), handle };
}
