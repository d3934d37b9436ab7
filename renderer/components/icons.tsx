import type { Icon as TablerIcon } from '@tabler/icons-react';
import IconActivity from '@tabler/icons-react/dist/esm/icons/IconActivity.mjs';
import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs';
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconArrowsExchange from '@tabler/icons-react/dist/esm/icons/IconArrowsExchange.mjs';
import IconArrowsLeftRight from '@tabler/icons-react/dist/esm/icons/IconArrowsLeftRight.mjs';
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconChecklist from '@tabler/icons-react/dist/esm/icons/IconChecklist.mjs';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import IconClipboardText from '@tabler/icons-react/dist/esm/icons/IconClipboardText.mjs';
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs';
import IconCircleDashed from '@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs';
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs';
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs';
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs';
import IconEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs';
import IconFilter from '@tabler/icons-react/dist/esm/icons/IconFilter.mjs';
import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs';
import IconGitCompare from '@tabler/icons-react/dist/esm/icons/IconGitCompare.mjs';
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs';
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs';
import IconLanguage from '@tabler/icons-react/dist/esm/icons/IconLanguage.mjs';
import IconLayoutSidebarRightCollapse from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarRightCollapse.mjs';
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs';
import IconHelpCircle from '@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs';
import IconPin from '@tabler/icons-react/dist/esm/icons/IconPin.mjs';
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs';
import IconPlayerStop from '@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs';
import IconPlugConnected from '@tabler/icons-react/dist/esm/icons/IconPlugConnected.mjs';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import IconRepeat from '@tabler/icons-react/dist/esm/icons/IconRepeat.mjs';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import IconServer2 from '@tabler/icons-react/dist/esm/icons/IconServer2.mjs';
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs';
import IconShieldLock from '@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs';
import IconTool from '@tabler/icons-react/dist/esm/icons/IconTool.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs';
import IconUserCircle from '@tabler/icons-react/dist/esm/icons/IconUserCircle.mjs';
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import IconWorld from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';

interface IconProps {
  /** Pixels, 16 by default. */
  size?: number | undefined;
}

/** Icons are beside words or inside a control with a name, so they are hidden from screen readers. */
const icon = (Drawn: TablerIcon) =>
  function Icon({ size = 16 }: IconProps) {
    return <Drawn size={size} stroke={1.75} aria-hidden focusable={false} />;
  };

/** The product's logo: a ring with two keys. */
export const KeyRingLogo = ({ size = 24 }: IconProps) => (
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
    <circle cx="12" cy="7" r="4.5" />
    <path d="M9.5 11 L6 21 M6.9 18.4 L9.3 19.2 M7.9 15.6 L10 16.3" />
    <path d="M14.5 11 L18 21 M17.1 18.4 L14.7 19.2" />
  </svg>
);

export const ClockIcon = /* @__PURE__ */ icon(IconClock);
export const EyeIcon = /* @__PURE__ */ icon(IconEye);
export const EyeOffIcon = /* @__PURE__ */ icon(IconEyeOff);
export const GearIcon = /* @__PURE__ */ icon(IconSettings);
export const ChevronIcon = /* @__PURE__ */ icon(IconChevronDown);
export const ChevronRightIcon = /* @__PURE__ */ icon(IconChevronRight);
export const ShieldIcon = /* @__PURE__ */ icon(IconShieldLock);
export const WarningIcon = /* @__PURE__ */ icon(IconAlertTriangle);
export const InfoIcon = /* @__PURE__ */ icon(IconInfoCircle);
export const MailIcon = /* @__PURE__ */ icon(IconMail);
export const QuestionIcon = /* @__PURE__ */ icon(IconHelpCircle);
export const ErrorIcon = /* @__PURE__ */ icon(IconAlertCircle);
export const ServerIcon = /* @__PURE__ */ icon(IconServer2);
export const CheckIcon = /* @__PURE__ */ icon(IconCheck);
export const UpIcon = /* @__PURE__ */ icon(IconArrowUp);
export const DownIcon = /* @__PURE__ */ icon(IconArrowDown);
export const BackIcon = /* @__PURE__ */ icon(IconArrowLeft);
export const OpenIcon = /* @__PURE__ */ icon(IconExternalLink);
export const CopyIcon = /* @__PURE__ */ icon(IconCopy);
export const BinIcon = /* @__PURE__ */ icon(IconTrash);
export const PinIcon = /* @__PURE__ */ icon(IconPin);
export const ChecklistIcon = /* @__PURE__ */ icon(IconChecklist);
export const WireIcon = /* @__PURE__ */ icon(IconArrowsExchange);
export const AccountIcon = /* @__PURE__ */ icon(IconUserCircle);
export const WorldIcon = /* @__PURE__ */ icon(IconWorld);
export const SearchIcon = /* @__PURE__ */ icon(IconSearch);
export const ToolIcon = /* @__PURE__ */ icon(IconTool);
export const LogOutIcon = /* @__PURE__ */ icon(IconLogout);
export const DoneIcon = /* @__PURE__ */ icon(IconCircleCheck);
export const RefreshIcon = /* @__PURE__ */ icon(IconRefresh);
export const DockIcon = /* @__PURE__ */ icon(IconLayoutSidebarRightCollapse);
export const ReplayIcon = /* @__PURE__ */ icon(IconRepeat);
export const PlayIcon = /* @__PURE__ */ icon(IconPlayerPlay);
export const KeyIcon = /* @__PURE__ */ icon(IconKey);
export const LanguageIcon = /* @__PURE__ */ icon(IconLanguage);
export const CloseIcon = /* @__PURE__ */ icon(IconX);
export const MoreIcon = /* @__PURE__ */ icon(IconDots);
export const DownloadIcon = /* @__PURE__ */ icon(IconDownload);
export const UploadIcon = /* @__PURE__ */ icon(IconUpload);
export const LockIcon = /* @__PURE__ */ icon(IconLock);
export const AddAccountIcon = /* @__PURE__ */ icon(IconUserPlus);
export const PeopleIcon = /* @__PURE__ */ icon(IconUsers);
export const PlugIcon = /* @__PURE__ */ icon(IconPlugConnected);
export const PlusIcon = /* @__PURE__ */ icon(IconPlus);
export const CompareIcon = /* @__PURE__ */ icon(IconGitCompare);
export const FilterIcon = /* @__PURE__ */ icon(IconFilter);
export const StopIcon = /* @__PURE__ */ icon(IconPlayerStop);
export const ActivityIcon = /* @__PURE__ */ icon(IconActivity);
export const SwapIcon = /* @__PURE__ */ icon(IconArrowsLeftRight);
export const NotMeasuredIcon = /* @__PURE__ */ icon(IconCircleDashed);
export const PasteIcon = /* @__PURE__ */ icon(IconClipboardText);
export const FolderIcon = /* @__PURE__ */ icon(IconFolder);
