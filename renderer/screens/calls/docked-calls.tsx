import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import type { AppState } from '../../../preload/contract/models.ts';
import { createCallWords } from '../../answers/say-call.ts';
import { Chip } from '../../components/chip.tsx';
import { DockIcon } from '../../components/icons.tsx';
import { go } from '../../place.ts';
import { useTexts } from '../../texts.tsx';
import classes from './calls-dock.module.css';
import { useEscape } from './calls-room.tsx';
import { DockedComparison } from './comparison-room.tsx';
import { Details } from './details.tsx';
import { ListPane } from './list-pane.tsx';
import { useCalls } from './use-calls.ts';
import { keysOf } from '../../use-shortcuts.ts';
import { undock } from './use-calls-dock.ts';

/** Shows the calls of the server in use beside the account, and one of them below. */
export function DockedCalls({ state }: { state: AppState }) {
  const { t, i18n } = useTexts();
  const words = useMemo(() => createCallWords(i18n.language), [i18n.language]);
  const calls = useCalls({ state, thisServer: true });
  const { opened, comparing, rowsRef } = calls;
  const onKeyDown = useEscape(calls, undock);
  const { picking } = comparing;
  useEffect(() => {
    if (picking) rowsRef.current?.focus();
  }, [picking, rowsRef]);

  return (
    // Escape leaves the dock from wherever in it the focus is.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section id="calls-dock" className={classes.dock} aria-labelledby="dock-heading" data-region onKeyDown={onKeyDown}>
      <VisuallyHidden component="output">{comparing.sentence}</VisuallyHidden>
      <header className={classes.head}>
        <h2 id="dock-heading" className={classes.title}>
          {t('calls.title')}
        </h2>
        <Chip>{t('calls.thisServer')}</Chip>
        <span className={classes.grow} />
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => go({ room: 'calls', call: opened })}>
          {t('calls.openRoom')}
        </Button>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={t('calls.undock', { keys: keysOf('calls', '+') })}
          title={t('calls.undock', { keys: keysOf('calls', '+') })}
          onClick={undock}
        >
          <DockIcon size={20} />
        </ActionIcon>
      </header>
      <div className={classes.panes} data-opened={opened !== undefined || comparing.shown !== undefined}>
        <ListPane calls={calls} state={state} words={words} />
        {comparing.shown ? (
          <DockedComparison calls={calls} two={comparing.shown} state={state} words={words} />
        ) : (
          opened && <Details key={opened.id} summary={opened} calls={calls} state={state} words={words} isDocked />
        )}
      </div>
    </section>
  );
}
