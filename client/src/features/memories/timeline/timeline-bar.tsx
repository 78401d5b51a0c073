import type { MemoryOrder } from '#shared/memory';
import { formatMonth } from '../../../lib/dates.ts';
import { Segments } from '../../../ui/radio-group.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

interface TimelineBarProps {
  /** Newest first. */
  months: string[];
  /** The month that is looked at; none while they are not known. */
  month: string | undefined;
  isPending: boolean;
  onMonth: (month: string) => void;
  order: MemoryOrder;
  onStart: (order: MemoryOrder) => void;
}

const monthPlace = 'min-w-0 flex-1 sm:max-w-56';

/** Stays at the top of the screen, wherever in the years someone is. */
export function TimelineBar({ months, month, isPending, onMonth, order, onStart }: TimelineBarProps) {
  return (
    <div className="sticky top-0 z-10 -mx-5 mb-8 flex items-center justify-between gap-3 border-b border-hairline bg-paper px-5 py-2.5 sm:-mx-8 sm:px-8">
      {month === undefined ? (
        <div className={monthPlace}>{isPending && <Skeleton className="h-11" />}</div>
      ) : (
        <SelectField
          label="Go to month"
          isLabelHidden
          className={monthPlace}
          options={byYear(months)}
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

const orders = [
  { value: 'added' as const, name: 'Added' },
  { value: 'taken' as const, name: 'Taken' },
];

function byYear(months: string[]) {
  const years = [...new Set(months.map(yearOf))];
  return years.map((year) => ({
    group: year,
    options: months
      .filter((month) => yearOf(month) === year)
      .map((month) => ({ value: month, name: formatMonth(month) })),
  }));
}

function yearOf(month: string): string {
  return month.slice(0, month.indexOf('-'));
}
