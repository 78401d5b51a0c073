import type { ComponentProps, ReactNode } from 'react';
import { FormProvider, useFormState, type FieldValues, type UseFormReturn } from 'react-hook-form';
import { showFieldErrors } from '../../lib/form-fields.ts';
import { Button } from '../buttons/button.tsx';
import { CHECK_CONNECTION, showError } from '../toasts/show-error.ts';

export interface FormProps<Values extends FieldValues, Output> extends Omit<
  ComponentProps<'form'>,
  'onSubmit' | 'onError'
> {
  form: UseFormReturn<Values, unknown, Output>;
  /** Gets valid values. What it throws is shown at the fields that the server names, and in a toast. */
  onSubmit: (values: Output) => unknown;
  /** The toast's title, and its text if the server sends none. */
  errorToast?: [title: string, text?: string];
  /** No toast for an error that is shown at a field. */
  isFieldErrorEnough?: boolean;
  /** @returns whether it has handled the error */
  onError?: (error: unknown) => boolean;
}

/** The form of a `useZodForm`. */
export function Form<Values extends FieldValues, Output>({
  form,
  onSubmit,
  errorToast,
  isFieldErrorEnough = false,
  onError,
  ...props
}: FormProps<Values, Output>) {
  const submit = form.handleSubmit(async (values) => {
    try {
      await onSubmit(values);
    } catch (error) {
      if (onError?.(error)) return;
      if (!errorToast) throw error;
      const [title, text = CHECK_CONNECTION] = errorToast;
      const isShown = showFieldErrors(error, form);
      if (!isShown || !isFieldErrorEnough) showError(error, title, text);
    }
  });
  return (
    <FormProvider {...form}>
      <form
        {...props}
        noValidate
        onSubmit={(event) => {
          // React also passes it on to a form around the dialog that this one is in.
          event.stopPropagation();
          void submit(event);
        }}
      />
    </FormProvider>
  );
}

/** Of the form around it. */
export function SubmitButton(props: ComponentProps<typeof Button>) {
  const { isSubmitting } = useFormState();
  return <Button type="submit" isPending={isSubmitting} {...props} />;
}

/** Does nothing while the form around it is being sent. */
export function CancelButton({
  onCancel,
  children = 'Cancel',
}: {
  onCancel: () => void;
  children?: ReactNode;
}) {
  const { isSubmitting } = useFormState();
  return (
    <Button variant="secondary" onClick={() => !isSubmitting && onCancel()}>
      {children}
    </Button>
  );
}
