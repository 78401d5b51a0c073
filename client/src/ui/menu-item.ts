import type { LucideIcon } from 'lucide-react';

export interface MenuItem {
  name: string;
  Icon: LucideIcon;
  isDanger?: boolean;
  /** Set for items of which one is chosen. */
  isChecked?: boolean;
  /** Why it can't be chosen now. Shown once for all items with the same reason. */
  disabledReason?: string | undefined;
  /** @param button the menu's */
  onChoose: (button: HTMLElement | null) => void;
}
