import { Menu } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { StandIn } from './stand-in.ts';
import type { Opened } from './use-opener.ts';

interface OpenedMenuProps {
  opened: Opened;
  label: string;
  position: 'bottom-start' | 'bottom-end';
  width?: number;
  /** Its items. */
  children: ReactNode;
}

/** Shows the menu of a button. It imports Mantine's menus, so only what is loaded later may import it. */
export function OpenedMenu({ opened: { id, button, isOpen, setOpen }, label, children, ...rest }: OpenedMenuProps) {
  // Mantine gives the focus back only when a menu was there before it was opened.
  const isThere = useMounted();
  return (
    <Menu id={id} opened={isOpen && isThere} onChange={setOpen} {...rest}>
      <Menu.Target>
        <StandIn of={button} />
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>{children}</Menu.Dropdown>
    </Menu>
  );
}
