import { useId } from 'react';
import type { MemoryOrder } from '#shared/memory';
import { monthName } from '../../../lib/dates.ts';
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
  onOrder: (order: MemoryOrder) => void;
}

const monthPlace = 'min-w-0 flex-1 sm:max-w-56';

/** Stays at the top of the screen, wherever in the years someone is. */
export function TimelineBar({ months, month, isPending, onMonth, order, onOrder }: TimelineBarProps) {
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
      <OrderSwitch order={order} onOrder={onOrder} />
    </div>
  );
}

const orders: { value: MemoryOrder; name: string }[] = [
  { value: 'added', name: 'Added' },
  { value: 'taken', name: 'Taken' },
];

/** By when they were added here, or by when they were taken. */
function OrderSwitch({ order, onOrder }: Pick<TimelineBarProps, 'order' | 'onOrder'>) {
  const group = useId();
  return (
    <fieldset className="flex w-fit rounded-full border border-edge">
      <legend className="sr-only">Order by date</legend>
      {orders.map(({ value, name }) => (
        <label
          key={value}
          className="relative grid h-10.5 place-items-center rounded-full px-4 font-semibold text-muted transition-colors duration-150 hover:text-ink has-checked:bg-well has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-ink"
        >
          <input
            type="radio"
            name={group}
            value={value}
            checked={order === value}
            onChange={() => onOrder(value)}
            className="absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}

function byYear(months: string[]) {
  const years = [...new Set(months.map(yearOf))];
  return years.map((year) => ({
    group: year,
    options: months
      .filter((month) => yearOf(month) === year)
      .map((month) => ({ value: month, name: monthName(month) })),
  }));
}

function yearOf(month: string): string {
  return month.slice(0, month.indexOf('-'));
}
