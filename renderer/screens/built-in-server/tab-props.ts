import type { BuiltInTab } from '../../route.ts';

/** What each tab of the room of the built-in server gets. */
export interface TabProps {
  /** Counts again, after something was done to what is counted. */
  onChanged: () => void;
  /** Leads to another tab, which takes the focus. */
  onLead: (tab: BuiltInTab) => void;
}
