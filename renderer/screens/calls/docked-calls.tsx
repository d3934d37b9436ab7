import { ActionIcon, Button } from '@mantine/core';
import { Chip } from '../../components/chip.tsx';
import { DockIcon } from '../../components/icons.tsx';
import { useSplit } from '../../components/use-split.tsx';
import { navigate } from '../../route.ts';
import classes from './calls-dock.module.css';
import { leaveOnEscape, useCalls, useCallsVisit } from './calls-store.ts';
import { ComparisonStatus, DockedComparison } from './comparison.tsx';
import { Details } from './details.tsx';
import { ListPane } from './list-pane.tsx';
import { ReplayQuestion } from './replay-dialogs.tsx';
import { keysOf } from '../../use-shortcuts.ts';
import { t } from '../../i18n.ts';

/** The calls of the active server beside the account, with the opened one below. */
export function DockedCalls({ onLeave }: { onLeave: () => void }) {
  useCallsVisit({ isDocked: true });
  const opened = useCalls((state) => state.opened);
  const comparison = useCalls((state) => state.comparison);
  const split = useSplit({ pane: 'dock', fixed: 'second' });

  return (
    // Escape leaves the dock from any element in it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      id="calls-dock"
      // The parent contains both panes.
      ref={(dock) => split.container(dock?.parentElement ?? null)}
      style={split.style}
      className={classes.dock}
      aria-labelledby="dock-heading"
      data-region
      onKeyDown={leaveOnEscape(onLeave)}
    >
      {split.handle}
      <ComparisonStatus />
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
          onClick={() => navigate({ page: 'calls', call: opened?.summary })}
        >
          {t('calls.openPage')}
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
      <div className={classes.panes} data-opened={opened !== undefined || comparison !== undefined}>
        <ListPane />
        {comparison ? (
          <DockedComparison comparison={comparison} />
        ) : (
          opened && <Details key={opened.summary.id} opened={opened} />
        )}
      </div>
      <ReplayQuestion />
    </section>
  );
}
