import { useMemo } from 'react';
import type { MemoryOrder } from '#shared/album/memory';
import { formatMonth } from '../../../lib/dates.ts';
import { Segments } from '../../../ui/forms/radio-group.tsx';
import { SelectField } from '../../../ui/forms/select-field.tsx';
import { Skeleton } from '../../../ui/loading/skeleton.tsx';
import type { TimelineLayout } from './timeline-layout.ts';

export interface TimelineBarProps {
  layout: TimelineLayout;
  /** The month at the top of the viewport; undefined while loading. */
  month: string | undefined;
  isPending: boolean;
  onMonth: (month: string) => void;
  order: MemoryOrder;
  onStart: (order: MemoryOrder) => void;
}

const orders = [
  { value: 'added' as const, name: 'Added' },
  { value: 'taken' as const, name: 'Taken' },
];

export function TimelineBar({ layout, month, isPending, onMonth, order, onStart }: TimelineBarProps) {
  const size = 'min-w-0 flex-1 sm:max-w-56';
  const months = useMemo(() => groupByYear(layout.sections.map(({ month }) => month)), [layout]);
  return (
    <div className="sticky top-0 z-10 -mx-5 mb-8 flex items-center justify-between gap-3 bg-paper px-5 py-2.5 after:absolute after:inset-x-5 after:bottom-0 after:h-px after:bg-hairline sm:-mx-8 sm:px-8 sm:after:inset-x-8">
      {month === undefined ? (
        <div className={size}>{isPending && <Skeleton className="h-11" />}</div>
      ) : (
        <SelectField
          label="Go to month"
          isLabelHidden
          className={size}
          options={months}
          value={month}
          onChange={(event) => onMonth(event.target.value)}
        />
      )}
      <Segments
        label="Order by date"
        choices={orders}
        value={order}
        onChoose={onStart}
        choiceClassName="px-4 font-semibold"
      />
    </div>
  );
}

function groupByYear(months: string[]) {
  const getYear = (month: string) => month.slice(0, month.indexOf('-'));
  return [...new Set(months.map(getYear))].map((year) => ({
    group: year,
    options: months
      .filter((month) => getYear(month) === year)
      .map((month) => ({ value: month, name: formatMonth(month) })),
  }));
}
