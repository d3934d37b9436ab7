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
  /** What stands right of the heading, such as a chip with the name of the server. */
  beside?: ReactNode;
  /** The page's own buttons, of which at most one is primary. */
  actions?: ReactNode;
  /** Keeps the head on one line: what stands beside the heading is cut instead. */
  isOneLine?: boolean;
  /** `page` scrolls as one column of 920 pixels at most; `panes` fills the page, and its parts scroll by themselves. */
  layout?: 'page' | 'panes';
  /** How the person leaves a view inside the page, such as a comparison or a form. */
  back?: { label: string; onBack: () => void } | undefined;
  children: ReactNode;
}

/**
 * Shows a page: its heading with the actions, which stay, and below it what one works in. The heading takes the focus
 * when the page is opened, so that it is read out. In the simple mode there is no rail, so the page has a way back.
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
