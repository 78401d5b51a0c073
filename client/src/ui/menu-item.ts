import type { LucideIcon } from 'lucide-react';

export interface MenuItem {
  name: string;
  Icon: LucideIcon;
  isDanger?: boolean;
  onChoose: () => void;
}
