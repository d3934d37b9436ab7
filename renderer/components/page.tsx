import { ActionIcon } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useApp } from '../api.ts';
import { moveFocus } from '../move-focus.ts';
import { navigateBack } from '../route.ts';
import { useWindowTitle } from '../use-window-title.ts';
import { BackIcon } from './icons.tsx';
import classes from './page.module.css';
import { t } from '../i18n.ts';

interface PageProps {
  title: string;
  /** Content right of the heading, such as a chip with the name of the server. */
  beside?: ReactNode;
  /** The buttons of the page, at most one of them primary. */
  actions?: ReactNode;
  /** Keeps the header on one line: the content beside the heading is truncated instead. */
  isOneLine?: boolean;
  /** `page` scrolls as one column of at most 920 pixels; `panes` fills the page, and its parts scroll by themselves. */
  layout?: 'page' | 'panes';
  /** Leaves a view inside the page, such as a comparison or a form. */
  back?: { label: string; onBack: () => void } | undefined;
  children: ReactNode;
}

/**
 * The layout of a page: a fixed header with heading and actions, and the content below. The heading takes the focus on
 * mount, so that it is announced. The simple mode has no rail, so the page gets a back button.
 */
export function Page({ title, beside, actions, isOneLine = false, layout = 'page', back, children }: PageProps) {
  useWindowTitle(title);
  const id = useId();
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => moveFocus(headingRef.current, { preventScroll: true }), []);
  const isSimple = !useApp().settings.workbench;
  const way = back ?? (isSimple ? { label: t('app.back'), onBack: navigateBack } : undefined);
  return (
    <section className="column pane" aria-labelledby={id}>
      <header className={classes.head} data-one-line={isOneLine}>
        {way && (
          <ActionIcon variant="subtle" color="gray" size={32} aria-label={way.label} onClick={way.onBack}>
            <BackIcon size={20} />
          </ActionIcon>
        )}
        <h1 id={id} tabIndex={-1} ref={headingRef} className={classes.title}>
          {title}
        </h1>
        {beside}
        <div className="row wrap grow ends gap8">{actions}</div>
      </header>
      {layout === 'page' ? (
        <div className={classes.scroll}>
          <div className={classes.page}>{children}</div>
        </div>
      ) : (
        <div className={classes.panes}>{children}</div>
      )}
    </section>
  );
}
