import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { Chip } from '../../components/chip.tsx';
import { DockIcon } from '../../components/icons.tsx';
import { useSplit } from '../../components/use-split.tsx';
import { navigate } from '../../route.ts';
import classes from './calls-dock.module.css';
import { DockedComparison } from './comparison-page.tsx';
import { Details } from './details.tsx';
import { ListPane } from './list-pane.tsx';
import { ReplayQuestions } from './replay-dialogs.tsx';
import { useCalls } from './use-calls.ts';
import { keysOf } from '../../use-shortcuts.ts';
import { t } from '../../i18n.ts';

/** Shows the calls of the server in use beside the account, and one of them below. */
export function DockedCalls({ onLeave }: { onLeave: () => void }) {
  const calls = useCalls({ thisServer: true, onLeave });
  const { opened, compared } = calls;
  const split = useSplit({ room: 'dock', fixed: 'second' });

  return (
    // Escape leaves the dock from wherever in it the focus is.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      id="calls-dock"
      // Both panes are in what has the dock.
      ref={(dock) => split.container(dock?.parentElement ?? null)}
      style={split.style}
      className={classes.dock}
      aria-labelledby="dock-heading"
      data-region
      onKeyDown={calls.onKeyDown}
    >
      {split.handle}
      <VisuallyHidden component="output">{calls.sentence}</VisuallyHidden>
      <header className={classes.head}>
        <h2 id="dock-heading" className="flush title heading quiet">
          {t('calls.title')}
        </h2>
        <Chip>{t('calls.thisServer')}</Chip>
        <span className="grow" />
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          onClick={() => navigate({ room: 'calls', call: opened?.summary })}
        >
          {t('calls.openRoom')}
        </Button>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={t('calls.undock', { keys: keysOf('calls', '+') })}
          title={t('calls.undock', { keys: keysOf('calls', '+') })}
          onClick={onLeave}
        >
          <DockIcon size={20} />
        </ActionIcon>
      </header>
      <div className={classes.panes} data-opened={opened !== undefined || compared !== undefined}>
        <ListPane calls={calls} />
        {compared ? (
          <DockedComparison calls={calls} two={compared} />
        ) : (
          opened && <Details key={opened.summary.id} opened={opened} calls={calls} isDocked />
        )}
      </div>
      <ReplayQuestions replay={calls.replay} />
    </section>
  );
}
