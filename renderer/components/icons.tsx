import type { ReactNode } from 'react';

function Icon({ size = 20, children }: { size?: number | undefined; children: ReactNode }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

/** Draws the product's mark: a ring with two keys. */
export function KeyRingLogo({ size = 28 }: { size?: number }) {
  return (
    <Icon size={size}>
      <circle cx="12" cy="7" r="4.5" />
      <path d="M9.5 11 L6 21 M6.9 18.4 L9.3 19.2 M7.9 15.6 L10 16.3" />
      <path d="M14.5 11 L18 21 M17.1 18.4 L14.7 19.2" />
    </Icon>
  );
}

export const EyeIcon = () => (
  <Icon>
    <path d="M2 12s3.6-7 10-7 10 7 10 7-3.6 7-10 7S2 12 2 12Z" />
    <circle cx="12" cy="12" r="3" />
  </Icon>
);

export const EyeOffIcon = () => (
  <Icon>
    <path d="M9.9 5.2A10 10 0 0 1 12 5c6.4 0 10 7 10 7a17 17 0 0 1-3 3.8M6.4 6.6A16 16 0 0 0 2 12s3.6 7 10 7a9.7 9.7 0 0 0 4.6-1.2" />
    <path d="M10 10a3 3 0 0 0 4 4M3 3l18 18" />
  </Icon>
);

export const GearIcon = () => (
  <Icon>
    <path d="M4 7h10M18 7h2M4 17h2M10 17h10" />
    <circle cx="16" cy="7" r="2" />
    <circle cx="8" cy="17" r="2" />
  </Icon>
);

export const ListIcon = () => (
  <Icon>
    <path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="3" />
  </Icon>
);

export const ChevronIcon = () => (
  <Icon size={16}>
    <path d="m7 10 5 5 5-5" />
  </Icon>
);

export const ShieldIcon = () => (
  <Icon size={16}>
    <path d="M12 3 5 6v5c0 5 3 8 7 10 4-2 7-5 7-10V6Z" />
  </Icon>
);

export const WarningIcon = ({ size = 16 }: { size?: number }) => (
  <Icon size={size}>
    <path d="M12 4 2.5 20h19ZM12 10v4M12 17h.01" />
  </Icon>
);

export const InfoIcon = ({ size = 16 }: { size?: number }) => (
  <Icon size={size}>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 11v5M12 8h.01" />
  </Icon>
);

export const ServerIcon = () => (
  <Icon size={16}>
    <rect x="4" y="4" width="16" height="7" rx="1.5" />
    <rect x="4" y="13" width="16" height="7" rx="1.5" />
    <path d="M8 7.5h.01M8 16.5h.01" />
  </Icon>
);

export const CheckIcon = () => (
  <Icon size={16}>
    <path d="m5 13 4.5 4.5L19 7" />
  </Icon>
);

export const UpIcon = () => (
  <Icon size={16}>
    <path d="M12 19V5M6 11l6-6 6 6" />
  </Icon>
);

export const DownIcon = () => (
  <Icon size={16}>
    <path d="M12 5v14M6 13l6 6 6-6" />
  </Icon>
);

export const CopyIcon = () => (
  <Icon size={16}>
    <path d="M9 9h11v11H9ZM15 9V4H4v11h5" />
  </Icon>
);

export const PencilIcon = () => (
  <Icon size={16}>
    <path d="M4 20l1-4L16 5l3 3L8 19Z" />
  </Icon>
);

export const BinIcon = () => (
  <Icon size={16}>
    <path d="M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13" />
  </Icon>
);

export const PinIcon = () => (
  <Icon size={16}>
    <path d="M9 4h6l-1 6 3 3H7l3-3ZM12 13v7" />
  </Icon>
);

/** Stands for the contract run: a list with ticks. */
export const ChecklistIcon = ({ size }: { size?: number | undefined }) => (
  <Icon size={size}>
    <path d="M4 6l2 2 3-4M4 13l2 2 3-4M12 7h8M12 14h8M4 20h16" />
  </Icon>
);

/** Stands for the calls: two arrows, one in each direction. */
export const WireIcon = () => (
  <Icon>
    <path d="M4 8h15M15 4l4 4-4 4M20 16H5M9 12l-4 4 4 4" />
  </Icon>
);
