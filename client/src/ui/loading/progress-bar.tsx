interface ProgressBarProps {
  label: string;
  /** In percent; null while it is not known. */
  value: number | null;
  /** Beside the label. */
  note?: string;
}

/** With its label, which screen readers announce when it changes. */
export function ProgressBar({ label, value, note }: ProgressBarProps) {
  return (
    <>
      <p className="flex justify-between gap-4 font-semibold">
        <span role="status" className="min-w-0 wrap-anywhere">
          {label}...
        </span>
        {note && <span className="shrink-0 tabular-nums">{note}</span>}
      </p>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(value !== null && { 'aria-valuenow': value })}
        className="mt-3 h-1.5 overflow-hidden rounded-full bg-hairline"
      >
        <div
          className={
            value === null
              ? 'h-full animate-pulse bg-edge'
              : 'h-full bg-accent transition-[width] duration-250'
          }
          style={{ width: `${value ?? 100}%` }}
        />
      </div>
    </>
  );
}
