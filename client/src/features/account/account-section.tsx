import { useId, type ReactNode } from 'react';

interface AccountSectionProps {
  title: string;
  note?: ReactNode;
  children: ReactNode;
}

/** One matter of the account: what it is about, and beside it what can be done. */
export function AccountSection({ title, note, children }: AccountSectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-12 gap-y-5 border-t border-hairline py-8 sm:py-10 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]"
    >
      <div>
        <h2 id={id} className="text-lead">
          {title}
        </h2>
        {note && <p className="mt-1 max-w-md text-small text-muted">{note}</p>}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}
