import { ChevronDown } from 'lucide-react';
import { useId, type ComponentProps } from 'react';
import { describeError, fieldClasses, FieldError, FieldLabel, type FieldProps } from './field.tsx';

interface Option {
  value: string;
  name: string;
}

interface SelectFieldProps extends FieldProps, Omit<ComponentProps<'select'>, 'children'> {
  /** What stands there while nothing is chosen. Its value is empty: choosing it again chooses none. */
  placeholder?: string;
  options: readonly (Option | { group: string; options: readonly Option[] })[];
  /** The label is for screen readers alone, where the choices speak for themselves. */
  isLabelHidden?: boolean;
}

/** One of several. The system's own list: it fits a thumb, a keyboard and a screen reader better than any drawn one. */
export function SelectField({
  label,
  note,
  error,
  placeholder,
  options,
  isLabelHidden = false,
  className,
  ...select
}: SelectFieldProps) {
  const id = useId();
  return (
    <div className={className}>
      {isLabelHidden ? (
        <label htmlFor={id} className="sr-only">
          {label}
        </label>
      ) : (
        <FieldLabel htmlFor={id} label={label} note={note} />
      )}
      <div className="relative">
        <select
          {...select}
          {...describeError(id, error)}
          id={id}
          className={fieldClasses({ kind: 'select' })}
        >
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((each) =>
            'group' in each ? (
              <optgroup key={each.group} label={each.group}>
                {each.options.map(toOption)}
              </optgroup>
            ) : (
              toOption(each)
            ),
          )}
        </select>
        <ChevronDown className="pointer-events-none absolute top-3.5 right-3 size-4 text-muted" />
      </div>
      <FieldError id={id} error={error} />
    </div>
  );
}

function toOption({ value, name }: Option) {
  return (
    <option key={value} value={value}>
      {name}
    </option>
  );
}
