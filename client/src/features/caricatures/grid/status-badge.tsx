import { Check, CircleAlert, Sparkles } from 'lucide-react';
import type { CaricatureStatus } from '#shared/caricature';
import { Badge } from '../badge.tsx';

const badges = {
  completed: { tone: 'sage', name: 'Complete', Icon: Check },
  generating: { tone: 'accent', name: 'Creating...', Icon: Sparkles },
  failed: { tone: 'danger', name: 'Failed', Icon: CircleAlert },
} as const;

export function StatusBadge({ status }: { status: CaricatureStatus }) {
  const { tone, name, Icon } = badges[status];
  return (
    <Badge tone={tone}>
      <Icon className="size-3.5 stroke-[2.25]" />
      {name}
    </Badge>
  );
}
