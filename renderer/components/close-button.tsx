import { ActionIcon } from '@mantine/core';
import { CloseIcon } from './icons.tsx';

interface CloseButtonProps {
  /** What is closed, for a tooltip and those who do not see the cross. */
  name: string;
  className?: string | undefined;
  onClick: () => void;
}

/** The cross at the end of a heading, which closes what stands below it. */
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
