import type { LucideIcon } from 'lucide-react';

export interface MenuItem {
  name: string;
  Icon: LucideIcon;
  isDanger?: boolean;
  /** Set for the choices of a group. */
  isChecked?: boolean;
  /** Why it can't be chosen now. Shown once for all items with the same reason. */
  disabledReason?: string | undefined;
  /** @param button the menu's */
  onChoose: (button: HTMLElement | null) => void;
}

/** Choices of which one is chosen. */
export interface MenuGroup {
  label: string;
  choices: MenuItem[];
}
