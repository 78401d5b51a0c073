import type { LucideIcon } from 'lucide-react';

export interface MenuItem {
  name: string;
  Icon: LucideIcon;
  isDanger?: boolean;
  /** Set for the choices of a group. */
  isChecked?: boolean;
  /** Why it can't be chosen now. Shown once for all items with the same reason. */
  disabledReason?: string | undefined;
  onChoose: () => void;
}

/** Choices of which one is chosen. */
export interface MenuGroup {
  label: string;
  choices: MenuItem[];
}
