import { Popover, Stack } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { StandIn } from '../components/stand-in.ts';
import type { Opened } from '../components/use-opener.ts';
import classes from './status-bar.module.css';

interface FactMoreProps {
  opened: Opened;
  label: string;
  children: ReactNode;
}

/** Shows the whole of a fact of the status bar above it. */
export function FactMore({ opened: { id, button, isOpen, setOpen }, label, children }: FactMoreProps) {
  // Mantine gives the focus back only when it was there before it was opened.
  const isThere = useMounted();
  return (
    <Popover
      id={id}
      opened={isOpen && isThere}
      onChange={setOpen}
      width={340}
      position="top-start"
      shadow="none"
      trapFocus
      returnFocus
      classNames={{ dropdown: classes.popover }}
    >
      <Popover.Target>
        <StandIn of={button} />
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <Stack gap={16}>{children}</Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
