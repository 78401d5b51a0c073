// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import type { AddMemoryStep } from './add-memory-step.ts';
import { useAddMemoryForm } from './use-add-memory-form.ts';
import { NO_SUGGESTIONS, type SuggestedValues } from './use-suggested-values.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const OF_PHOTO = { petId: '', memoryDate: '2019-07-04', memoryTime: '09:05' };
const OF_OTHER_PHOTO = { petId: '', memoryDate: '2020-01-31', memoryTime: '08:30' };

interface FieldsProps {
  suggestions?: SuggestedValues;
  step?: AddMemoryStep;
  hasPhoto?: boolean;
}

function Fields({ suggestions = NO_SUGGESTIONS, step = 'form', hasPhoto = false }: FieldsProps) {
  const { form, isRestored, isPhotoLost, readValues } = useAddMemoryForm('ada', step, hasPhoto, suggestions);
  const [isUndated, setIsUndated] = useState(false);
  return (
    <>
      <p role="status">{isRestored ? (isPhotoLost ? 'without its photo' : 'restored') : ''}</p>
      <input aria-label="Caption" {...form.register('caption')} />
      <button onClick={() => setIsUndated(readValues().isUndated)}>{isUndated ? 'undated' : 'dated'}</button>
      <input aria-label="Date" type="date" {...form.register('memoryDate')} />
      <input aria-label="Time" type="time" {...form.register('memoryTime')} />
    </>
  );
}

const input = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const values = () => [input('Date').value, input('Time').value];

function isUndated(): boolean {
  fireEvent.click(screen.getByRole('button'));
  return screen.getByRole('button').textContent === 'undated';
}

const enterDate = (value: string) => fireEvent.input(input('Date'), { target: { value } });

it('has no date once the person has cleared one beside a dated photo', () => {
  const { rerender } = render(<Fields suggestions={NO_SUGGESTIONS} />);
  expect(isUndated()).toBe(false);
  rerender(<Fields suggestions={OF_PHOTO} />);
  expect(isUndated()).toBe(false);
  enterDate('');
  expect(isUndated(), 'the date of the photo').toBe(true);
  enterDate('2020-02-02');
  expect(isUndated()).toBe(false);
  cleanup();

  const other = render(<Fields suggestions={NO_SUGGESTIONS} />);
  enterDate('2020-02-02');
  other.rerender(<Fields suggestions={OF_PHOTO} />);
  expect(values()).toEqual(['2020-02-02', '']);
  enterDate('');
  expect(isUndated(), 'the own date').toBe(true);
});

it('keeps in its draft that the date was cleared', async () => {
  const { unmount } = render(<Fields suggestions={OF_PHOTO} />);
  fireEvent.input(input('Caption'), { target: { value: 'At the lake' } });
  await waitFor(() => expect(JSON.stringify(localStorage)).toContain('At the lake'));
  enterDate('');
  unmount();
  const { rerender } = render(<Fields suggestions={NO_SUGGESTIONS} />);
  await waitFor(() => expect(input('Caption').value).toBe('At the lake'));
  rerender(<Fields suggestions={OF_PHOTO} />);
  expect(values()).toEqual(['', '']);
  expect(isUndated()).toBe(true);
});

it('gives the next photo its date after one whose date was cleared', async () => {
  const page = render(<Fields suggestions={OF_PHOTO} hasPhoto />);
  await waitFor(() => expect(values()).toEqual(['2019-07-04', '09:05']));
  enterDate('');
  page.rerender(<Fields />);
  page.rerender(<Fields suggestions={OF_OTHER_PHOTO} hasPhoto />);
  expect(isUndated(), 'removed').toBe(false);
  expect(values()).toEqual(['2020-01-31', '08:30']);
  enterDate('');
  await waitFor(() => expect(JSON.stringify(localStorage)).toContain('isUndated\\":true'));
  page.unmount();

  const { rerender } = render(<Fields />);
  await waitFor(() => expect(JSON.stringify(localStorage)).not.toContain('isUndated'));
  rerender(<Fields suggestions={OF_PHOTO} hasPhoto />);
  expect(isUndated(), 'lost by a reload').toBe(false);
  expect(values()).toEqual(['2019-07-04', '09:05']);
});

it('tells a draft whose photo was only chosen from one whose photo the uploader has', async () => {
  const status = () => screen.getByRole('status').textContent;
  const leave = async (props: FieldsProps, isPhotoUnstored: boolean) => {
    page.rerender(<Fields {...props} />);
    await waitFor(() =>
      expect(JSON.stringify(localStorage)).toContain(`isPhotoUnstored\\":${isPhotoUnstored}`),
    );
    page.unmount();
    page = render(<Fields />);
    await waitFor(() => expect(status()).not.toBe(''));
  };
  let page = render(<Fields />);
  fireEvent.input(input('Caption'), { target: { value: 'At the lake' } });
  await leave({}, false);
  expect(status()).toBe('restored');
  await leave({ hasPhoto: true }, true);
  expect(status()).toBe('without its photo');
  await leave({}, true);
  expect(status(), 'left again without a photo').toBe('without its photo');
  page.rerender(<Fields hasPhoto />);
  expect(status()).toBe('restored');
  await leave({ hasPhoto: true, step: 'photo' }, false);
  expect(status()).toBe('restored');
});

it('does not replace a date that is half typed with that of a photo', () => {
  const { rerender } = render(<Fields suggestions={NO_SUGGESTIONS} />);
  // A date without a year: browsers call it invalid, and its value is empty.
  Object.defineProperty(input('Date'), 'validity', { value: { badInput: true } });
  rerender(<Fields suggestions={OF_PHOTO} />);
  expect(values()).toEqual(['', '']);
});

it("clears a photo's time with its date, but not one that was entered", () => {
  const { rerender } = render(<Fields suggestions={OF_PHOTO} />);
  expect(values()).toEqual(['2019-07-04', '09:05']);
  fireEvent.input(input('Date'), { target: { value: '' } });
  expect(values()).toEqual(['', '']);
  rerender(<Fields suggestions={OF_OTHER_PHOTO} />);
  expect(values(), 'no date, as the person chose').toEqual(['', '']);
  fireEvent.input(input('Date'), { target: { value: '2020-02-02' } });
  fireEvent.input(input('Time'), { target: { value: '17:30' } });
  fireEvent.input(input('Date'), { target: { value: '' } });
  expect(values()).toEqual(['', '17:30']);
});
