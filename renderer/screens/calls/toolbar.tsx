import { Button, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './calls.module.css';
import { FilesMenu } from './files-menu.tsx';
import { Filters } from './filters.tsx';
import type { ShownCalls } from './use-calls.ts';

interface ToolbarProps {
  calls: ShownCalls;
  onClear: () => void;
  onClose: () => void;
}

/** Shows what is searched for, how many were found, and what can be done with them. */
export function Toolbar({ calls, onClear, onClose }: ToolbarProps) {
  const { t } = useTranslation();
  const { list, shown, filter, choices, setChoices, setSaid, searchRef, rowsRef } = calls;
  return (
    <div className={classes.toolbar}>
      <Title order={2} size="h6" id="calls-heading">
        {t('calls.title')}
      </Title>
      <Filters choices={choices} onChange={setChoices} searchRef={searchRef} onDown={() => rowsRef.current?.focus()} />
      <div className={classes.ends}>
        <Text component="output" size="xs" c="dimmed" className={classes.count}>
          {shown.filter && t('calls.found', { number: shown.total })}
        </Text>
        <FilesMenu
          filter={filter}
          onDone={(sentence) => setSaid({ sentence })}
          onImported={() => void list.show(filter)}
          onFailed={(error) => setSaid({ error })}
        />
        <Button variant="default" size="compact-xs" onClick={onClear}>
          {t('calls.clear')}
        </Button>
        <Button variant="default" size="compact-xs" onClick={onClose}>
          {t('app.close')}
        </Button>
      </div>
    </div>
  );
}
