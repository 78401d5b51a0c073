import type { FieldValues } from 'react-hook-form';
import { classNames } from '../../lib/class-names.ts';
import { CancelButton, Form, SubmitButton, type FormProps } from '../forms/form.tsx';

interface DialogFormProps<Values extends FieldValues, Output> extends Omit<
  FormProps<Values, Output>,
  'action'
> {
  action: string;
  pendingText: string;
  isDestructive?: boolean;
  onCancel: () => void;
}

/** The content of a dialog: fields above the buttons. */
export function DialogForm<Values extends FieldValues, Output>({
  action,
  pendingText,
  isDestructive = false,
  onCancel,
  className,
  children,
  ...props
}: DialogFormProps<Values, Output>) {
  return (
    <Form {...props} className={classNames('mt-3 space-y-5', className)}>
      {children}
      <div className="flex flex-col-reverse gap-3 pt-2 sm:flex-row sm:justify-end">
        <CancelButton onCancel={onCancel} />
        <SubmitButton variant={isDestructive ? 'destructive' : 'primary'} pendingText={pendingText}>
          {action}
        </SubmitButton>
      </div>
    </Form>
  );
}
