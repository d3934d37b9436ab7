import { ActionIcon } from '@mantine/core';
import { CloseIcon } from './icons.tsx';

interface CloseButtonProps {
  /** Names what is closed, for the tooltip and for screen readers. */
  name: string;
  className?: string | undefined;
  onClick: () => void;
}

/** The cross at the end of a heading, which closes the section below. */
export const CloseButton = ({ name, className, onClick }: CloseButtonProps) => (
  <ActionIcon
    className={className}
    variant="subtle"
    color="gray"
    size={28}
    aria-label={name}
    title={name}
    onClick={onClick}
  >
    <CloseIcon />
  </ActionIcon>
);
