import { ChevronDown } from 'lucide-react';
import { memo, useId, type ComponentProps } from 'react';
import { describeError, fieldClasses, FieldError, FieldLabel, type FieldProps } from './field.tsx';

interface Option {
  value: string;
  name: string;
}

interface SelectFieldProps extends FieldProps, Omit<ComponentProps<'select'>, 'children'> {
  /** An option with an empty value. */
  placeholder?: string;
  options: readonly (Option | { group: string; options: readonly Option[] })[];
  isLabelHidden?: boolean;
}

/** The native element: phones, keyboards and screen readers handle it better than a custom list. */
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
          <Options options={options} />
        </select>
        <ChevronDown className="pointer-events-none absolute top-3.5 right-3 size-4 text-muted" />
      </div>
      <FieldError id={id} error={error} />
    </div>
  );
}

/** The timeline has one for each month, and renders with each scroll event. */
const Options = memo(function Options({ options }: Pick<SelectFieldProps, 'options'>) {
  return options.map((each) =>
    'group' in each ? (
      <optgroup key={each.group} label={each.group}>
        {each.options.map(toOption)}
      </optgroup>
    ) : (
      toOption(each)
    ),
  );
});

function toOption({ value, name }: Option) {
  return (
    <option key={value} value={value}>
      {name}
    </option>
  );
}
