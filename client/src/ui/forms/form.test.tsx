// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { createPortal } from 'react-dom';
import { expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { ApiError } from '../../lib/api/api-client.ts';
import { useZodForm } from '../../lib/use-zod-form.ts';
import { setUpComponents, showPage } from '../../testing/component.tsx';
import { currentToast } from '../toasts/toast-store.ts';
import { TextField } from './field.tsx';
import { CancelButton, Form, SubmitButton, type FormProps } from './form.tsx';

const Values = z.object({ name: z.string().check(z.minLength(1, 'A name')), note: z.string() });
type Values = z.infer<typeof Values>;

type NoteFormProps = Pick<
  FormProps<Values, Values>,
  'onSubmit' | 'onError' | 'isFieldErrorEnough' | 'children'
>;

setUpComponents();

function NoteForm({ children, ...props }: NoteFormProps) {
  const { form, field } = useZodForm(Values, { name: 'Mimi', note: '' });
  return (
    <Form form={form} errorToast={['Not saved']} {...props}>
      <TextField label="Name" {...field('name')} />
      <TextField label="Note" {...field('note')} />
      <SubmitButton pendingText="Saving...">Save</SubmitButton>
      {children}
    </Form>
  );
}

const save = { name: 'Save' };
const wrongNote = () => {
  const body = { message: 'Please check the form', fields: { note: 'Too long' } };
  throw new ApiError(422, JSON.stringify(body));
};

it.each([
  [{ onSubmit: wrongNote }, 'Please check the form'],
  [{ onSubmit: wrongNote, isFieldErrorEnough: true }, undefined],
  [{ onSubmit: wrongNote, onError: () => true }, undefined],
  [{ onSubmit: () => Promise.reject(new TypeError('Failed to fetch')) }, /^Please check your connection/],
])('shows what the server says at its fields, and in a toast (%#)', async (props: NoteFormProps, toast) => {
  const { user } = showPage(<NoteForm {...props} />);
  await user.click(screen.getByRole('button', save));
  await screen.findByRole('button', save);
  const text = currentToast()?.description;
  if (toast) expect(text).toMatch(toast);
  else expect(text).toBeUndefined();
  const note = screen.getByLabelText('Note');
  const isShown = props.onSubmit === wrongNote && !props.onError;
  expect(screen.queryByText('Too long') !== null).toBe(isShown);
  expect(document.activeElement === note).toBe(isShown);
});

it('neither sends again nor cancels while it is sent', async () => {
  const cancel = vi.fn();
  let finish = () => {};
  const onSubmit = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  const { user } = showPage(
    <NoteForm onSubmit={onSubmit}>
      <CancelButton onCancel={cancel} />
    </NoteForm>,
  );
  await user.click(screen.getByRole('button', save));
  await user.click(await screen.findByRole('button', { name: 'Saving...' }));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(cancel).not.toHaveBeenCalled();
  finish();
  await screen.findByRole('button', save);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(cancel).toHaveBeenCalledOnce();
  expect(onSubmit).toHaveBeenCalledOnce();
});

it('does not send the form around the dialog that it is in', async () => {
  const outer = vi.fn();
  const inner = vi.fn();
  const { user } = showPage(
    <NoteForm onSubmit={outer}>{createPortal(<NoteForm onSubmit={inner} />, document.body)}</NoteForm>,
  );
  await user.click(screen.getAllByRole('button', save)[1] as HTMLElement);
  await waitFor(() => expect(inner).toHaveBeenCalledOnce());
  expect(outer).not.toHaveBeenCalled();
});
