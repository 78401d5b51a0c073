import { CalendarDays, PawPrint, Tag, Trash2, X } from 'lucide-react';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { BulkChangeDialog, type BulkField } from './bulk-change-dialog.tsx';
import { useSelectedIds, type Selection } from './selection.ts';
import { useBulkChanges } from './use-bulk-changes.ts';

interface SelectionBarProps {
  selection: Selection;
  /** Called when this bar, which has the focus, leaves selection mode. */
  onEnd: () => void;
}

/** The actions for the selected memories. */
export function SelectionBar({ selection, onEnd }: SelectionBarProps) {
  const ids = useSelectedIds(selection);
  const { change, remove } = useBulkChanges();
  const [field, setField] = useState<BulkField | null>(null);
  const end = () => {
    selection.end();
    onEnd();
  };
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('[role="dialog"]'))
      end();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onEscape(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);

  const action = (name: string, icon: ReactNode, onClick: () => void) => (
    <Button
      variant="quiet"
      disabled={ids.length === 0}
      onClick={onClick}
      className="min-w-11 px-2 decoration-transparent max-sm:flex-col max-sm:gap-0.5 max-sm:text-small"
    >
      {icon}
      {name}
    </Button>
  );
  return (
    <section
      aria-label="Selection"
      className="fixed inset-x-0 bottom-0 z-30 border-t border-hairline bg-sheet px-3 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] shadow-lifted"
    >
      <div className="mx-auto flex max-w-3xl flex-wrap items-center justify-between gap-x-2">
        <div className="flex items-center gap-1 max-sm:w-full">
          <IconButton name="Stop selecting" onClick={end}>
            <X className="size-5" />
          </IconButton>
          <p className="font-semibold tabular-nums">{ids.length.toLocaleString('en')} selected</p>
        </div>
        <div className="flex items-center gap-1 max-sm:w-full max-sm:justify-around sm:gap-3">
          {action('Pet', <PawPrint className="size-4.5" />, () => setField('pet'))}
          {action('Tags', <Tag className="size-4.5" />, () => setField('tags'))}
          {action('Date', <CalendarDays className="size-4.5" />, () => setField('date'))}
          {action('Delete', <Trash2 className="size-4.5" />, () => {
            remove(ids);
            end();
          })}
        </div>
      </div>
      <BulkChangeDialog
        field={field}
        count={ids.length}
        onClose={() => setField(null)}
        onChange={(changes) => {
          setField(null);
          change(ids, changes);
          end();
        }}
      />
    </section>
  );
}
