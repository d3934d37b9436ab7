import { useSplitter } from '@mantine/hooks';
import { type CSSProperties, type KeyboardEvent, type ReactNode, type RefCallback, useState } from 'react';
import { savePaneWidth, loadPaneWidth, paneStyle, type PaneName, defaultWidths } from '../pane-width.ts';
import classes from './use-split.module.css';
import { t } from '../i18n.ts';

/** Minimum width of both panes. */
const leastWidth = '320px';

interface SplitOptions {
  /** The name under which the width is stored. */
  pane: PaneName;
  /** The pane that keeps its width when the window is resized. */
  fixed: 'first' | 'second';
}

interface Split {
  /** For the element that contains both panes. */
  container: RefCallback<HTMLElement>;
  /** Sets `--pane` to the width of the fixed pane. */
  style: CSSProperties;
  /** The separator between the panes: dragged, moved by arrow keys, and reset by double click or Enter. */
  handle: ReactNode;
}

/** Two panes side by side whose widths the user can change. */
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
    // A movable separator takes the focus and the keys (ARIA, "Window Splitter"), unlike an `hr`.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex
    <div
      {...props}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="separator"
      tabIndex={0}
      className={classes.handle}
      aria-label={t('app.panes')}
      title={t('app.panesHelp')}
      // The separator of panes side by side is a vertical line.
      aria-orientation="vertical"
      aria-valuemax={Number.isFinite(props['aria-valuemax']) ? props['aria-valuemax'] : window.innerWidth}
      onKeyDown={onKeyDown}
      onDoubleClick={() => change(usual)}
    />
  );
  return { container: ref, style: paneStyle(width), handle };
}
