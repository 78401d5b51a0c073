import { useId, type ReactNode } from 'react';

interface SettingsGroupProps {
  title: string;
  children: ReactNode;
}

export function SettingsGroup({ title, children }: SettingsGroupProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-10 first-of-type:mt-0 sm:mt-14">
      <h2 id={id} className="mb-5 text-title sm:mb-6">
        {title}
      </h2>
      {children}
    </section>
  );
}

interface SettingsSectionProps {
  /** For links to it. */
  id?: string;
  title: string;
  note: string;
  children: ReactNode;
}

export function SettingsSection({ id, title, note, children }: SettingsSectionProps) {
  const titleId = useId();
  return (
    <section
      id={id}
      aria-labelledby={titleId}
      className="grid gap-x-12 gap-y-5 border-t border-hairline py-8 sm:py-10 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]"
    >
      <div>
        <h3 id={titleId} className="text-lead wrap-anywhere">
          {title}
        </h3>
        <p className="mt-1 max-w-md text-small wrap-anywhere text-muted">{note}</p>
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}
